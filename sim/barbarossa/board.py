"""Rules, map and scenario as arrays; everything that can be worked out before the first turn."""

from typing import Any, NamedTuple

import numpy as np

import sim.barbarossa.state as st
from sim.barbarossa.documents import DIE, MapFile, RulesFile, ScenarioFile
from sim.fields import layout, numbered
from sim.game import Names
from sim.geometry.graph import distances, neighbour_table
from sim.log import empty_log
from sim.rules_file import BadInput, check, one_of

DIFFICULTIES = ("difficult", "medium", "easy", "no_purge", "random")
VARIANTS = ("japanese_attack", "no_lend_lease", "early_counterattack")

# Faces of the target die that name no region.
FIVE, WEAK_POINT = np.int64(-2), np.int64(-3)

# First phases of a scenario.
FROM_MOVEMENT, FROM_SOVIET_ATTACKS = numbered(2)


MOST_NEIGHBOURS = 12
MOST_LINKS = 2 * MOST_NEIGHBOURS  # of a region, by line or sea
MOST_TURNS = 16
FACES = 6  # of the die that everything is rolled with
N_NATIONS = len(st.NATIONS)
REGIONS = st.MOST_PLACES

BOARD = layout(
    # Regions are numbered in the order of the map file; lists of regions end with NOWHERE.
    ("neighbours", (REGIONS, MOST_NEIGHBOURS), "regions that a line joins to a region (BB-1.4)"),
    ("lines", (REGIONS,), "how many there are"),
    ("overseas", (REGIONS, MOST_NEIGHBOURS), "regions on the same sea"),
    ("lines_between", (REGIONS, REGIONS), "fewest lines between two regions, whoever owns them (BB-5.2)"),
    ("is_source", (REGIONS,), "1 for a Soviet supply source (BB-3.3)"),
    ("may_enter", (N_NATIONS, REGIONS), "1 where a nation may be (BB-4.4)"),
    ("is_home", (N_NATIONS, REGIONS), "1 where a nation's reinforcements come even at the front (BB-4.2)"),
    ("leaves_with", (N_NATIONS,), "region whose loss ends a nation's part, or NOWHERE (BB-4.3)"),
    ("axis_at_start", (REGIONS,), "1 for a region that is Axis on the map (BB-7.1)"),
)
"""The map, as one record."""

RULES = layout(
    # Turns count from 1; arrays by turn have turn t in place t - 1. See rules.toml for the clauses.
    ("n_turns", (), "turns of the calendar"),
    ("year", (MOST_TURNS,), "calendar year of a turn"),
    ("attack_d3", (FACES,), "the D3 of an attack, by the face of a d6"),
    ("attack_table", (4, 4), "REPULSED, TAKEN_AT_A_LOSS or TAKEN by attackers and modified roll"),
    ("modifier_german", (MOST_TURNS,), "added to the die of an attack with a German unit"),
    ("modifier_other", (MOST_TURNS,), "added to the die of an attack without"),
    ("faces_taking", (MOST_TURNS, 2, 4), "faces of a d6 that take a target, by turn, with a German, and attackers"),
    ("faces_losing", (MOST_TURNS, 2, 4), "faces of a d6 that lose an attacker, likewise"),
    ("returns_after", (), "turns after which a lost unit comes back"),
    ("never_returns", (N_NATIONS,), "1 for a nation whose losses do not come back"),
    ("reinforcements_each_turn", (), "units that may come in a turn"),
    ("unlimited_turn", (), "turn in which any number may come, or 0"),
    ("leaves_in", (N_NATIONS,), "turn before whose movement a nation leaves the game, or 0"),
    ("attacks", (len(DIFFICULTIES), MOST_TURNS), "Soviet attacks"),
    ("attack_die", (len(DIFFICULTIES), MOST_TURNS, FACES), "those that a die adds, by the face of a d6"),
    ("variants", (len(VARIANTS), MOST_TURNS), "what a variant adds to the attacks"),
    ("most_attacks", (), "more Soviet attacks than this there cannot be in a turn"),
    ("target_names", (FACES, 2), "regions that a face of the target die names, or FIVE or WEAK_POINT"),
    ("soviet_d3", (FACES,), "the D3 of a Soviet attack, by the face of a d6"),
    ("soviet_table", (3,), "NOTHING, RETREAT_OR_LOSS or LOSS"),
    ("single_non_german", (len(st.RESULTS),), "what a result becomes for a single unit that is no German"),
    ("losses", (), "units lost by a LOSS"),
    ("losses_without_way_out", (), "units lost by a RETREAT_OR_LOSS with no way out"),
    ("levels", (len(st.OUTCOMES),), "least number of Axis regions for each outcome"),
    ("vacated", (), "option: AT_ONCE, PHASE_END or by a garrison"),
    ("lone_unit_may_attack", (), "option"),
    ("two_attacks_on_five", (), "option"),
    ("second_name_when_first_is_soviet", (), "option"),
    ("flexible_deployment", (), "option"),
    ("fuhrer_order", (), "option"),
)
"""The rulebook's numbers, as one record."""

AT_ONCE, PHASE_END, _ = numbered(3)  # choices of the option `vacated`; the third is a garrison

START = layout(
    ("first_turn", (), "turn with which the scenario starts"),
    ("first_phase", (), "FROM_MOVEMENT or FROM_SOVIET_ATTACKS"),
    ("deployment", (st.MOST_UNITS,), "region of each unit with flexible deployment, NOWHERE: the policy's choice"),
)
"""How a scenario starts, besides its state."""


class Setup(NamedTuple):
    """All that a game needs but policies and dice, as records (1,).

    They are of `BOARD`, `RULES`, `START`, `STATE` and `LOG`.
    """

    board: np.recarray
    rules: np.recarray
    start: np.recarray
    state: np.recarray
    log: np.recarray


def empty_setup(n_units: int = 0, n_places: int = 0) -> Setup:
    """A setup in which nothing is said yet."""
    board, rules, start = (np.zeros(1, dtype).view(np.recarray) for dtype in (BOARD, RULES, START))
    return Setup(board, rules, start, st.empty_state(n_units, n_places), empty_log(st.LOG, st.EVENTS))


def load(scenario: dict[str, Any], board: dict[str, Any], rules: dict[str, Any]) -> tuple[Setup, Names]:
    """Setup and names from a scenario, a map and a rules file. Raises `BadInput` for whatever is wrong."""
    where = f"scenario {scenario.get('name', '?')}"
    plan = check(ScenarioFile, scenario, where)
    chart = check(MapFile, board, f"map {board.get('name', '?')}")
    book = check(RulesFile, rules, "rules of barbarossa")
    _scenario_fits(plan, chart, book, where)
    places = tuple(chart.regions)
    turns = tuple(book.calendar.turns.value)
    units = tuple(unit.name for unit in (*plan.units, *plan.reinforcements))
    setup = empty_setup(len(units), len(places))
    _fill_board(setup.board[0], chart, book)
    _fill_rules(setup.rules[0], chart, book)
    _fill_start(setup.start[0], plan, chart, book)
    _fill_state(setup.state[0], plan, chart, book)
    return setup, Names(units, places, turns)


def _scenario_fits(plan: ScenarioFile, chart: MapFile, book: RulesFile, where: str) -> None:
    n_units = len(plan.units) + len(plan.reinforcements)
    for key, count, most in (("units", n_units, st.MOST_UNITS), ("regions", len(chart.regions), st.MOST_PLACES)):
        if count > most:
            raise BadInput(f"there are {count}, and room for {most}", file=where, key=key)
    if len(book.calendar.turns.value) > MOST_TURNS:
        raise BadInput(f"there is room for {MOST_TURNS} turns", file="rules of barbarossa", key="calendar.turns")
    named = [
        *((f"units.{unit.name}", unit.region) for unit in plan.units),
        *((f"reinforcements.{unit.name}.eager", unit.eager) for unit in plan.reinforcements if unit.eager),
        *(("garrisons", region) for region in plan.garrisons),
        *((f"deployments.{name}", region) for name, regions in plan.deployments.items() for region in regions),
    ]
    for key, region in named:
        if chart.region(region) not in chart.regions:
            raise BadInput(
                f"{region!r} is no region of the map: use {one_of(chart.regions, region)}", file=where, key=key
            )
    for key, region in named:
        if key.startswith("deployments.") and not chart.regions[chart.region(region)].axis:
            raise BadInput(f"{region!r} is not an Axis region of the map (BB-7.1)", file=where, key=key)
    turns = book.calendar.turns.value
    for key, turn in (
        ("first_turn", plan.first_turn),
        *((f"reinforcements.{u.name}", u.turn) for u in plan.reinforcements),
    ):
        if turn not in turns:
            raise BadInput(f"{turn!r} is no turn of the calendar: use {one_of(turns, turn)}", file=where, key=key)
    _standing_fits(_standing(plan, chart, book), chart, where)
    _options_fit(plan, chart, book, where)
    if not set(plan.sides) == {"red", "blue"}:
        raise BadInput("names both sides: red and blue", file=where, key="sides")


def _standing(plan: ScenarioFile, chart: MapFile, book: RulesFile) -> list[tuple[str, str, str]]:
    """Key, nation and region of every unit that stands on the map at the start."""
    standing = [(f"units.{unit.name}", unit.nation, chart.region(unit.region)) for unit in plan.units]
    if book.options.eager_allies.value:
        standing += [
            (f"reinforcements.{unit.name}.eager", unit.nation, chart.region(unit.eager))
            for unit in plan.reinforcements
            if unit.eager
        ]
    return standing


def _standing_fits(standing: list[tuple[str, str, str]], chart: MapFile, where: str) -> None:
    hungarian = {region for _, nation, region in standing if nation == "hungarian"}
    for key, nation, region in standing:
        if nation != "rumanian":
            continue
        if region not in chart.rumanians_allowed:
            raise BadInput(f"{region!r} is closed to Rumanians (BB-4.4)", file=where, key=key)
        if region in hungarian:
            raise BadInput(f"Rumanians share {region!r} with Hungarians (BB-4.4)", file=where, key=key)


def _options_fit(plan: ScenarioFile, chart: MapFile, book: RulesFile, where: str) -> None:
    """BB-7.1: flexible deployment and eager allies are for scenarios that begin in the Axis regions of the map."""
    if book.options.eager_allies.value and not any(unit.eager for unit in plan.reinforcements):
        raise BadInput("no unit of this scenario can be eager (BB-7.1)", file=where, key="options.eager_allies")
    held = [chart.region(name) for name in (*(unit.region for unit in plan.units), *plan.garrisons)]
    beyond = [region for region in held if not chart.regions[region].axis]
    if book.options.flexible_deployment.value and beyond:
        raise BadInput(
            f"this scenario begins beyond the Axis regions of the map, in {beyond[0]!r} (BB-7.1)",
            file=where,
            key="options.flexible_deployment",
        )
    if plan.deployment != "policy" and not book.options.flexible_deployment.value:
        raise BadInput("is only for the option flexible_deployment (BB-7.1)", file=where, key="deployment")


def _fill_board(board: np.record, chart: MapFile, book: RulesFile) -> None:
    places = list(chart.regions)
    number = {name: place for place, name in enumerate(places)}
    lines = [(number[start], number[end]) for start, ends in chart.lines.items() for end in ends]
    seas = [(number[a], number[b]) for names in chart.seas.values() for a in names for b in names if a != b]
    neighbours = neighbour_table(len(places), lines)
    lines_between = distances(neighbours)
    if (lines_between == st.NOWHERE).any():
        apart = places[int(np.argmax(lines_between[0] == st.NOWHERE))]
        raise BadInput(f"no lines lead from {places[0]!r} to {apart!r}", file=f"map {chart.name}", key="lines")
    for name, table in (("neighbours", neighbours), ("overseas", neighbour_table(len(places), seas))):
        if table.shape[1] > MOST_NEIGHBOURS:
            crowded = places[int(np.argmax((table != st.NOWHERE).sum(1)))]
            raise BadInput(
                f"{crowded!r} has more than {MOST_NEIGHBOURS - 1} {name}", file=f"map {chart.name}", key="lines"
            )
        board[name][:] = st.NOWHERE
        _put(board[name], table)
    _put(board.lines, (neighbours != st.NOWHERE).sum(1))
    _put(board.lines_between, lines_between)
    _put(board.is_source, [name in chart.supply_sources for name in places])
    board.may_enter[:] = 1
    _put(board.may_enter[st.RUMANIAN], [name in chart.rumanians_allowed for name in places])
    for nation, homes in book.nations.homes.value.items():
        for home in homes:
            board.is_home[st.NATIONS.index(nation), number[_known(chart, home, "nations.homes")]] = 1
    board.leaves_with[:] = st.NOWHERE
    for nation, capital in book.nations.leaves_with.value.items():
        board.leaves_with[st.NATIONS.index(nation)] = number[_known(chart, capital, "nations.leaves_with")]
    _put(board.axis_at_start, [region.axis for region in chart.regions.values()])


def _put(room: np.ndarray, values: Any) -> None:
    """Writes values into the corner of an array that has room for more."""
    values = np.asarray(values, np.int64)
    room[tuple(slice(length) for length in values.shape)] = values


def _known(chart: MapFile, name: str, key: str) -> str:
    if chart.region(name) not in chart.regions:
        raise BadInput(
            f"{name!r} is no region of map {chart.name}: use {one_of(chart.regions, name)}",
            file="rules of barbarossa",
            key=key,
        )
    return chart.region(name)


_ATTACK_RESULTS = {"L": st.REPULSED, "XL": st.TAKEN_AT_A_LOSS, "X": st.TAKEN}


def _fill_rules(rules: np.record, chart: MapFile, book: RulesFile) -> None:
    turns = book.calendar.turns.value
    years = [1900 + int(turn[1:]) for turn in turns]
    rules.n_turns = len(turns)
    _put(rules.year, years)
    rules.attack_d3[:] = _read_as(book.attack.d3.value)
    _put(rules.attack_table, [[_ATTACK_RESULTS[result] for result in row] for row in book.attack.table.value])
    _put(rules.modifier_german, [book.attack.modifier_german.value[str(year)] for year in years])
    _put(rules.modifier_other, [book.attack.modifier_other.value[str(year)] for year in years])
    _fill_chances(rules)
    rules.returns_after = book.reinforcements.returns_after.value
    _put(rules.never_returns, [nation in book.reinforcements.never_return.value for nation in st.NATIONS])
    rules.reinforcements_each_turn = book.reinforcements.each_turn.value
    rules.unlimited_turn = _turn(turns, book.reinforcements.unlimited_turn.value, "reinforcements.unlimited_turn")
    for nation, turn in book.nations.leaves_in.value.items():
        rules.leaves_in[st.NATIONS.index(nation)] = _turn(turns, turn, "nations.leaves_in")
    faces = {"five": (FIVE, FIVE), "weak_point": (WEAK_POINT, WEAK_POINT)}
    places = list(chart.regions)
    for face, meaning in enumerate(book.soviet_targets.die.value):
        named = faces[meaning] if isinstance(meaning, str) else [
            places.index(_known(chart, name, "soviet_targets.die")) for name in meaning
        ]  # fmt: skip
        rules.target_names[face] = named
    rules.soviet_d3[:] = _read_as(book.soviet_results.d3.value)
    _put(rules.soviet_table, [st.RESULTS.index(result) for result in book.soviet_results.table.value])
    rules.single_non_german[:] = np.arange(len(st.RESULTS))
    for result, becomes in book.soviet_results.single_non_german.value.items():
        rules.single_non_german[st.RESULTS.index(result)] = st.RESULTS.index(becomes)
    rules.losses = book.soviet_results.losses.value
    rules.losses_without_way_out = book.soviet_results.losses_without_way_out.value
    _put(rules.levels, [book.victory.levels.value[outcome] for outcome in st.OUTCOMES])
    rules.vacated = book.options.vacated.number
    rules.lone_unit_may_attack = book.options.lone_unit_may_attack.number
    rules.two_attacks_on_five = book.options.five.number
    rules.second_name_when_first_is_soviet = book.options.second_name.number
    rules.flexible_deployment = book.options.flexible_deployment.number
    rules.fuhrer_order = book.options.fuhrer_order.number
    _fill_soviet_attacks(rules, book)


def _fill_chances(rules: np.record) -> None:
    """BB-3.2: with how many faces of the die attacks succeed and cost a unit; one unit that is lost takes nothing."""
    attackers, modified = rules.attack_table.shape
    for with_german, modifier in enumerate((rules.modifier_other, rules.modifier_german)):
        rolls = np.clip(rules.attack_d3 + modifier[:, None], 1, modified)
        for count in range(1, attackers + 1):
            results = rules.attack_table[count - 1, rolls - 1]
            taken = (results == st.TAKEN) | ((results == st.TAKEN_AT_A_LOSS) & (count > 1))
            rules.faces_taking[:, with_german, count - 1] = taken.sum(1)
            rules.faces_losing[:, with_german, count - 1] = (results != st.TAKEN).sum(1)


def _read_as(pips_to_one: int) -> np.ndarray:
    """BB-3.2, BB-7.1: the faces of a d6 read as a smaller die: a D3 has two pips to one, a D2 three."""
    return -(-np.arange(1, FACES + 1) // pips_to_one)


def _fill_soviet_attacks(rules: np.record, book: RulesFile) -> None:
    table = book.soviet_attacks
    pips_to_one = {"2": table.d2.value, "3": book.soviet_results.d3.value, "6": 1}
    for row, difficulty in enumerate(DIFFICULTIES):
        for turn, given in enumerate(getattr(table, difficulty).value):
            die = DIE.match(given) if isinstance(given, str) else None
            rules.attacks[row, turn] = int(die[2] or 0) if die else given
            rules.attack_die[row, turn] = _read_as(pips_to_one[die[1]]) if die else 0
    _put(rules.variants, [getattr(table, variant).value for variant in VARIANTS])
    most = (rules.attacks + rules.attack_die.max(2)).max(0) + np.maximum(rules.variants, 0).sum(0)
    rules.most_attacks = st.MOST_SOVIET_ATTACKS if rules.two_attacks_on_five else most.max()


def _turn(turns: list[str], name: str, key: str) -> int:
    """Number of a turn of the calendar that the rules name."""
    if name not in turns:
        raise BadInput(
            f"{name!r} is no turn of the calendar: use {one_of(turns, name)}", file="rules of barbarossa", key=key
        )
    return turns.index(name) + 1


def _fill_start(start: np.record, plan: ScenarioFile, chart: MapFile, book: RulesFile) -> None:
    places = list(chart.regions)
    start.deployment[:] = st.NOWHERE
    if plan.deployment != "policy":
        pattern = iter(plan.deployments[plan.deployment])
        for row, unit in enumerate(plan.units):
            if unit.nation == "german":
                start.deployment[row] = places.index(chart.region(next(pattern)))
    start.first_turn = book.calendar.turns.value.index(plan.first_turn) + 1
    start.first_phase = FROM_MOVEMENT if plan.first_phase == "movement" else FROM_SOVIET_ATTACKS


def _fill_state(state: np.record, plan: ScenarioFile, chart: MapFile, book: RulesFile) -> None:
    """The set-up (BB-1.5, BB-7.2), with eager allies where that option is in force (BB-7.1)."""
    places = list(chart.regions)
    turns = book.calendar.turns.value
    units = state.units
    for row, unit in enumerate(plan.units):
        units[row].nation = st.NATIONS.index(unit.nation)
        units[row].region = places.index(chart.region(unit.region))
    for row, unit in enumerate(plan.reinforcements, len(plan.units)):
        units[row].nation = st.NATIONS.index(unit.nation)
        if book.options.eager_allies.number and unit.eager:
            units[row].region = places.index(chart.region(unit.eager))
        else:
            units[row].status = st.WAITING
            units[row].due = turns.index(unit.turn) + 1
            units[row].rank = 0
    occupied = {int(place) for place in units["region"] if place != st.NOWHERE}
    garrisoned = {places.index(chart.region(name)) for name in plan.garrisons} - occupied
    state.places["holder"][: len(places)] = st.SOVIET
    for place in occupied | garrisoned:
        state.places[place].holder = st.AXIS
        state.places[place].garrison = int(place in garrisoned)
    # Only the Axis has units to lose: for the Soviet side these numbers stay empty.
    state.sides[st.AXIS].lost = state.sides[st.AXIS].losses = 0
    state.turn = turns.index(plan.first_turn) + 1
