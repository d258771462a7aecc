"use strict";
const game = JSON.parse(document.getElementById("game").textContent);
const id = (name) => document.getElementById(name);
const map = id("map"), slider = id("slider"), about = id("about");
let now = -1, view = null, timer = 0, measure = 0;

function add(parent, tag, values = {}, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
  if (text) element.textContent = text;
  parent.append(element);
  return element;
}

function write(parent, tag, text, style = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  if (style) element.className = style;
  parent.append(element);
}

// A hint: under the pointer as the browser shows it, and below the map, where a finger can read it.
function tell(element, text, chosen = null) {
  element.querySelector(":scope > title")?.remove();
  add(element, "title", {}, text);
  const show = () => {
    about.textContent = text;
    document.querySelectorAll(".chosen").forEach((other) => other.classList.remove("chosen"));
    chosen?.classList.add("chosen");
  };
  element.onpointerenter = show;
  element.onclick = show;
}

// The map: a coordinate of the drawing is one of the page's; counters never get smaller than can be seen.
function look(x, y, width, height) {
  view = [x, y, width, height];
  map.setAttribute("viewBox", view.join(" "));
  const pixels = Math.min(map.clientWidth / width, map.clientHeight / height) || 1;
  const size = Math.max(game.size, game.least / pixels);
  map.querySelectorAll(".unit > g").forEach((unit) => unit.setAttribute("transform", `scale(${size.toFixed(2)})`));
}

function zoom(factor, at = null) {
  const [x, y, width, height] = view;
  const [u, v] = at ?? [x + width / 2, y + height / 2];
  look(u - (u - x) * factor, v - (v - y) * factor, width * factor, height * factor);
}

function point(event) {
  const box = map.getBoundingClientRect(), [x, y, width, height] = view;
  const scale = Math.max(width / box.width, height / box.height);
  return [x + width / 2 + (event.clientX - box.left - box.width / 2) * scale,
          y + height / 2 + (event.clientY - box.top - box.height / 2) * scale];
}

const fingers = new Map();
map.onpointerdown = (event) => fingers.set(event.pointerId, [event.clientX, event.clientY]);
map.onpointermove = (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const scale = Math.max(view[2] / map.clientWidth, view[3] / map.clientHeight);
  const others = [...fingers].filter(([finger]) => finger !== event.pointerId).map(([, at]) => at);
  if (others.length) {
    const distance = (at) => Math.hypot(at[0] - others[0][0], at[1] - others[0][1]) || 1;
    zoom(distance(before) / distance([event.clientX, event.clientY]), point(event));
  } else {
    look(view[0] - (event.clientX - before[0]) * scale, view[1] - (event.clientY - before[1]) * scale, view[2], view[3]);
  }
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
};
for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
  map.addEventListener(end, (event) => fingers.delete(event.pointerId));
}
map.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(event.deltaY / 500), point(event));
}, { passive: false });

// Places and counters are made once; a turn moves and colours them.
const places = game.places.map((place) => {
  const group = add(id("places"), "g", { class: place.kind });
  const shape = add(group, "path", { d: place.path, class: "place" });
  const label = place.label ? add(group, "text", { x: place.x, y: place.y, class: "label" }, place.label) : null;
  return { group, shape, label, name: place.name };
});

// What the counters of each shape look like, in units of their height.
const SHAPES = {
  army: { wide: 1.42, round: 0.06, cross: "M-.3-.4h.6v.34h-.6zl.6.34M.3-.4l-.6.34", text: 0.36 },
  squad: { wide: 1, round: 0.06, cross: "M-.5-.5l1 1M.5-.5l-1 1", text: 0.17 },
  vehicle: { wide: 1.42, round: 0.3, cross: "", text: 0.17 },
};

const units = game.units.map((unit) => {
  const group = add(id("units"), "g", { class: `unit ${unit.side} gone` }), body = add(group, "g");
  const { wide, round, cross, text } = SHAPES[unit.shape];
  const gun = add(body, "path", { d: "M0 0V-1", class: "gun" });
  const shape = add(body, "rect", { x: -wide / 2, y: -0.5, width: wide, height: 1, rx: round, class: "counter" });
  if (unit.fill) shape.style.fill = unit.fill;
  if (cross) add(body, "path", { d: cross, class: "cross" });
  if (unit.mark) add(body, "text", { y: text }, unit.mark);
  const men = ["bar", "men"].map((name) => add(body, "rect", { x: -0.5, y: 0.52, width: 1, height: 0.2, class: name }));
  const flag = add(body, "circle", { cx: wide / 2, cy: -0.5, r: 0.34, class: "flag" });
  const flags = add(body, "text", { x: wide / 2, y: -0.35, class: "flags" });
  return { group, gun, men, flag, flags, unit };
});

function place_units(turn) {
  const there = new Map(turn.stands.map((stand) => [stand[0], stand]));
  const coming = [];  // who was not there appears in its place, and does not fly to it
  units.forEach(({ group, gun, men, flag, flags, unit }, number) => {
    const stand = there.get(number);
    if (stand && group.classList.contains("gone")) coming.push(group);
    group.setAttribute("class", `unit ${unit.side}${stand ? (stand[6] ? " wreck" : "") : " gone"}`);
    if (!stand) return;
    const [, x, y, facing, strength, letters, wreck, words] = stand;
    group.style.transform = `translate(${x}px, ${y}px)`;
    gun.setAttribute("transform", `rotate(${facing ?? 0})`);
    gun.style.display = facing === null || wreck ? "none" : "";
    men.forEach((bar) => { bar.style.display = strength === null || wreck ? "none" : ""; });
    men[1].setAttribute("width", Math.max(0, strength ?? 0));
    flag.style.display = flags.style.display = letters ? "" : "none";
    flags.textContent = letters.slice(0, 2);
    tell(group, `${unit.name} (${game.sides[unit.side]}): ${words}`);
  });
  coming.forEach((group) => { group.style.transition = "none"; });
  map.getBoundingClientRect();
  coming.forEach((group) => { group.style.transition = ""; });
}

function draw_events(turn) {
  const group = id("events");
  group.replaceChildren();
  const r = game.size * 0.5;
  for (const [style, side, x1, y1, x2, y2, words] of turn.events) {
    const far = Math.hypot(x2 - x1, y2 - y1) > 1;
    let d = far ? `M${x1} ${y1}L${x2} ${y2}` : "";
    if (style === "hit") d += `M${x2 - r} ${y2}h${2 * r}M${x2} ${y2 - r}v${2 * r}`;
    if (style === "loss") d += `M${x2 - r * 0.6} ${y2 - r * 0.6}l${r * 1.2} ${r * 1.2}m0 ${-r * 1.2}l${-r * 1.2} ${r * 1.2}`;
    if (style === "move" && far) {
      const a = Math.atan2(y2 - y1, x2 - x1);
      d += [2.6, -2.6].map((turn) => `M${x2} ${y2}L${x2 + r * Math.cos(a + turn)} ${y2 + r * Math.sin(a + turn)}`).join("");
    }
    if (style === "mark") d += `M${x2} ${y2 - r * 0.6}v${r * 1.2}M${x2 - r * 0.6} ${y2}h${r * 1.2}`;
    if (style === "area") d += `M${x2 - r * 0.6} ${y2}a${r * 0.6} ${r * 0.6} 0 1 0 ${r * 1.2} 0a${r * 0.6} ${r * 0.6} 0 1 0 ${-r * 1.2} 0`;
    const drawn = add(group, "path", { d, class: `event ${style} ${side || "none"}` });
    tell(add(group, "path", { d, class: "reach" }), words, drawn);
  }
}

function colour_places(turn, before) {
  places.forEach(({ shape, label, name, group }, number) => {
    const holder = turn.holders[number] ?? "-";
    const style = holder === "-" ? "n" : holder;
    shape.setAttribute("class", `place ${style}`);
    label?.setAttribute("class", `label ${style}`);
    const who = { r: game.sides.red, b: game.sides.blue }[holder] ?? "nobody";
    const was = before && before.holders[number] !== holder ? ", new this turn" : "";
    tell(group, `${name}: held by ${who}${was}`);
  });
}

function write_story(turn) {
  const story = id("story");
  story.replaceChildren();
  write(story, "h2", turn.title);
  for (const [title, lines] of turn.sections) {
    write(story, "h3", title);
    lines.forEach((line) => write(story, "p", line.trim()));
  }
  turn.standing.forEach((line, i) => write(story, "p", line, i ? "" : "standing"));
  story.scrollTop = 0;
}

// The graph of strength: a line for each side, a dashed one for the turn that is shown.
const [LEFT, RIGHT, TOP, BOTTOM] = [44, 630, 10, 145];
const across = (i) => LEFT + (RIGHT - LEFT) * (game.turns.length > 1 ? i / (game.turns.length - 1) : 0);

function draw_chart() {
  const chart = id("chart"), { red, blue } = game.measures[measure];
  chart.replaceChildren();
  const values = [...red, ...blue].filter((value) => value !== null);
  const low = Math.min(0, ...values), high = Math.max(1, ...values);
  const up = (value) => BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low);
  for (const value of [low, (low + high) / 2, high]) {
    add(chart, "line", { x1: LEFT, x2: RIGHT, y1: up(value), y2: up(value), class: "axis" });
    add(chart, "text", { x: LEFT - 6, y: up(value) + 4, "text-anchor": "end" }, Number.isInteger(value) ? String(value) : value.toFixed(1));
  }
  game.turns.forEach((turn, i) => add(chart, "text", { x: across(i), y: BOTTOM + 17, "text-anchor": "middle" }, String(turn.turn)));
  for (const [side, line] of [["red", red], ["blue", blue]]) {
    const points = line.map((value, i) => [value, i]).filter(([value]) => value !== null);
    add(chart, "path", { class: side, d: points.map(([value, i], k) => `${k ? "L" : "M"}${across(i).toFixed(1)} ${up(value).toFixed(1)}`).join("") });
    if (line[now] != null) add(chart, "circle", { class: side, cx: across(now), cy: up(line[now]), r: 4 });
  }
  add(chart, "line", { x1: across(now), x2: across(now), y1: TOP, y2: BOTTOM, class: "now" });
  id("legend").replaceChildren();
  for (const [side, line] of [["blue", blue], ["red", red]]) {
    if (line[now] != null) write(id("legend"), "span", `${game.sides[side]} ${line[now]}  `, `key-${side}`);
  }
}

id("chart").onclick = (event) => {
  const box = id("chart").getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width * 640;
  show(Math.round((x - LEFT) / (RIGHT - LEFT) * (game.turns.length - 1)));
};

function show(i) {
  i = Math.max(0, Math.min(game.turns.length - 1, i));
  if (i === now) return;
  now = i;
  const turn = game.turns[i];
  colour_places(turn, game.turns[i - 1]);
  place_units(turn);
  draw_events(turn);
  write_story(turn);
  draw_chart();
  about.textContent = "";
  slider.value = String(i);
  id("which").textContent = turn.title;
  history.replaceState(null, "", `#turn=${turn.turn}`);
}

function pause() {
  clearInterval(timer);
  timer = 0;
  id("play").querySelector("path").setAttribute("d", "M2 1L9 5L2 9Z");
}

function play() {
  if (timer) return pause();
  if (now === game.turns.length - 1) show(0);
  id("play").querySelector("path").setAttribute("d", "M3 1V9M7 1V9");
  timer = setInterval(() => now < game.turns.length - 1 ? show(now + 1) : pause(), 1600);
}

function from_address() {
  const found = /^#turn=(\d+)$/.exec(location.hash);
  const place = found ? game.turns.findIndex((turn) => turn.turn === Number(found[1])) : -1;
  show(place < 0 ? Math.max(now, game.first) : place);
}

const step = (by) => { pause(); show(now + by); };
id("back").onclick = () => step(-1);
id("next").onclick = () => step(1);
id("first").onclick = () => step(-game.turns.length);
id("last").onclick = () => step(game.turns.length);
id("play").onclick = play;
id("closer").onclick = () => zoom(0.7);
id("farther").onclick = () => zoom(1 / 0.7);
id("fit").onclick = () => look(...game.view);
slider.max = String(game.turns.length - 1);
slider.oninput = () => { pause(); show(Number(slider.value)); };
game.measures.forEach((it, i) => {
  const option = document.createElement("option");
  option.value = String(i);
  option.textContent = it.title;
  id("measure").append(option);
});
id("measure").onchange = () => { measure = Number(id("measure").value); draw_chart(); };
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-game.turns.length), End: () => step(game.turns.length), " ": play };
  if (!keys[event.key] || (event.key === " " && event.target.tagName === "BUTTON")) return;
  event.preventDefault();
  keys[event.key]();
});
window.addEventListener("hashchange", from_address);
window.addEventListener("resize", () => look(...view));
const [x, y, width, height] = game.box;  // of the drawing only the map, without title and legend
for (const [name, value] of Object.entries({ x, y, width, height, viewBox: game.box.join(" ") })) id("sheet").setAttribute(name, value);
map.style.aspectRatio = `${game.view[2]} / ${game.view[3]}`;
look(...game.view);
from_address();
