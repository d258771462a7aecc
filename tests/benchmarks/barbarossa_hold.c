/*
 * Barbarossa Solitaire, the Axis played by `hold`, once more in plain C: the limit that bench_limit.py sets our own
 * kernel beside. It gives the same games.
 *
 * Map, rules, start and first state come from a loaded setup: Board, Rules, Start, State and Result below are the
 * records of sim/barbarossa/board.py and state.py, member by member. The game keeps a state of its own.
 *
 * What a game with `hold` under the default options cannot reach is left out: moves and attacks of the Axis, the
 * options, the variants; so is what only a record or another policy would read. Left in is what decides the game.
 * Clauses (BB-...) are those of the functions of the same names in sim/barbarossa.
 */

#include <stdbool.h>
#include <stdint.h>

enum { UNITS = 24, PLACES = 40, LINKS = 12, TURNS = 16, NATIONS = 4, LEVELS = 5, FACES = 6 };
enum { SOVIET, AXIS, DRAWN };
enum { NOWHERE = -1 };
enum { GERMAN, RUMANIAN, HUNGARIAN };
enum { ON_MAP, WAITING, GONE };
enum { TAKEN_AT_A_LOSS = 1, TAKEN, RETREAT_OR_LOSS = 4, LOSS };
enum { FIVE = -2, WEAK_POINT = -3 };
enum { SOVIET_ATTACK_NUMBER = 1, SOVIET_TARGET, SOVIET_TIE, SOVIET_RESULT };

/* What is handed over. */

typedef struct {
    int64_t neighbours[PLACES][LINKS], lines[PLACES], overseas[PLACES][LINKS];
    int64_t lines_between[PLACES][PLACES];
    int64_t is_source[PLACES];
    int64_t may_enter[NATIONS][PLACES], is_home[NATIONS][PLACES];
    int64_t leaves_with[NATIONS];
    int64_t axis_at_start[PLACES];
} Board;

typedef struct {
    int64_t n_turns, year[TURNS];
    int64_t attack_d3[FACES], attack_table[4][4], modifier_german[TURNS], modifier_other[TURNS];
    int64_t faces_taking[TURNS][2][4], faces_losing[TURNS][2][4];
    int64_t returns_after, never_returns[NATIONS], reinforcements_each_turn, unlimited_turn;
    int64_t leaves_in[NATIONS];
    int64_t attacks[5][TURNS], attack_die[5][TURNS][FACES], variants[3][TURNS], most_attacks;
    int64_t target_names[FACES][2];
    int64_t soviet_d3[FACES], soviet_table[3], single_non_german[7], losses, losses_without_way_out;
    int64_t levels[LEVELS];
    int64_t vacated, lone_unit_may_attack, two_attacks_on_five, second_name_when_first_is_soviet;
    int64_t flexible_deployment, fuhrer_order;
} Rules;

typedef struct {
    int64_t first_turn, first_phase, deployment[UNITS];
} Start;

typedef struct {
    int64_t turn, n_units, n_places, fault, fault_turn, fault_value;
    struct { int64_t nation, status, region, due, rank, moved_in, attacked_in, stood_alone; } units[UNITS];
    struct { int64_t holder, garrison, units, front, attacked_in; } places[PLACES];
    struct {
        int64_t territory, on_map, waiting, gone, attacks, captured, lost, losses, decided, retreat_year;
    } sides[2];
    int64_t stacks[PLACES][NATIONS], soviet_lines[PLACES], fronts[PLACES], n_fronts;
    int64_t first_in[PLACES], next_in[UNITS], by_status[3], in_play[NATIONS];
} State;

typedef struct {
    int64_t winner, outcome, margin, turns, end_reason, red_territory, blue_territory;
    int64_t fault, fault_turn, fault_value, axis_units_lost;
} Result;

/* For whoever hands them over: so large they are here. */
const int64_t record_sizes[] = {sizeof(Board), sizeof(Rules), sizeof(Start), sizeof(State), sizeof(Result)};

/* The game. */

typedef struct {
    int nation, status, region, due, rank;
} Unit;

typedef struct {
    int holder, garrison, units, soviet_lines, stack[NATIONS];
    bool front;
} Place;

typedef struct {
    const Board *board;
    const Rules *rules;
    uint64_t seed, replication;
    int turn, n_units, n_places, losses, axis_regions, n_fronts, fronts[PLACES], in_play[NATIONS];
    Unit units[UNITS];
    Place places[PLACES];
} Game;

/* Dice: a word of Philox 4x64-10 at the address (0, roller, turn << 32 | purpose, 0) plus n / 4 (sim/dice.py). */
static int roll(const Game *game, uint64_t purpose, int roller, int n, int sides)
{
    uint64_t k0 = game->seed, k1 = game->replication;
    uint64_t c[4] = {(uint64_t)n >> 2, (uint64_t)roller, (uint64_t)game->turn << 32 | purpose, 0};
    for (int round = 0; round < 10; round++) {
        unsigned __int128 a = (unsigned __int128)0xD2E7470EE14C6C93u * c[0];
        unsigned __int128 b = (unsigned __int128)0xCA5A826395121157u * c[2];
        c[0] = (uint64_t)(b >> 64) ^ c[1] ^ k0;
        c[1] = (uint64_t)b;
        c[2] = (uint64_t)(a >> 64) ^ c[3] ^ k1;
        c[3] = (uint64_t)a;
        k0 += 0x9E3779B97F4A7C15u;
        k1 += 0xBB67AE8584CAA73Bu;
    }
    return (int)((c[n & 3] >> 32) * (uint64_t)sides >> 32) + 1;
}

/* 1 Frame */

static int units_in(const Game *game, int region)
{
    return game->places[region].units;
}

static int nation_in(const Game *game, int nation, int region)
{
    return game->places[region].stack[nation];
}

static bool is_axis(const Game *game, int region)
{
    return game->places[region].holder == AXIS;
}

static bool borders_soviet(const Game *game, int region)
{
    return game->places[region].soviet_lines > 0;
}

static void go(Game *game, int unit, int region)
{
    Unit *goer = &game->units[unit];
    if (goer->region != NOWHERE) {
        game->places[goer->region].units--;
        game->places[goer->region].stack[goer->nation]--;
    }
    goer->region = region;
    if (region != NOWHERE) {
        game->places[region].units++;
        game->places[region].stack[goer->nation]++;
    }
}

static void look_at_the_front(Game *game, int region)
{
    Place *place = &game->places[region];
    bool front = place->holder == AXIS && place->soviet_lines > 0;
    if (front == place->front)
        return;
    place->front = front;
    int i;
    if (front) {
        for (i = game->n_fronts++; i > 0 && game->fronts[i - 1] > region; i--)
            game->fronts[i] = game->fronts[i - 1];
        game->fronts[i] = region;
        return;
    }
    i = --game->n_fronts;
    for (int later = game->fronts[i]; later != region;) {
        int earlier = game->fronts[--i];
        game->fronts[i] = later;
        later = earlier;
    }
}

static void take(Game *game, int region, int side)
{
    if (game->places[region].holder == side)
        return;
    game->places[region].holder = side;
    game->axis_regions += side == AXIS ? 1 : -1;
    look_at_the_front(game, region);
    for (const int64_t *other = game->board->neighbours[region]; *other != NOWHERE; other++) {
        game->places[*other].soviet_lines += side == SOVIET ? 1 : -1;
        look_at_the_front(game, (int)*other);
    }
}

static void count_anew(Game *game)
{
    for (int region = 0; region < game->n_places; region++) {
        for (const int64_t *other = game->board->neighbours[region]; *other != NOWHERE; other++)
            game->places[region].soviet_lines += game->places[*other].holder == SOVIET;
        look_at_the_front(game, region);
        game->axis_regions += is_axis(game, region);
    }
    for (int i = 0; i < game->n_units; i++) {
        const Unit *unit = &game->units[i];
        game->in_play[unit->nation] += unit->status != GONE;
        if (unit->region != NOWHERE) {
            game->places[unit->region].units++;
            game->places[unit->region].stack[unit->nation]++;
        }
    }
}

static void enter(Game *game, int unit, int region)
{
    go(game, unit, region);
    take(game, region, AXIS);
    game->places[region].garrison = 0;
}

static void become_soviet(Game *game, int region)
{
    take(game, region, SOVIET);
    game->places[region].garrison = 0;
}

static bool is_vacated(const Game *game, int region)
{
    return is_axis(game, region) && game->places[region].garrison == 0 && units_in(game, region) == 0;
}

/* BB-2.2 with vacated = at_once */
static void fall(Game *game, const int *regions, int count)
{
    for (bool falling = true; falling;) {
        falling = false;
        for (int i = 0; i < count; i++) {
            if (is_vacated(game, regions[i]) && borders_soviet(game, regions[i])) {
                become_soviet(game, regions[i]);
                falling = true;
            }
        }
    }
    for (int i = 0; i < count; i++)
        if (is_vacated(game, regions[i]))
            game->places[regions[i]].garrison = 1;
}

/* 4 Reinforcements, and what nations may not do */

static bool may_enter(const Game *game, int unit, int region)
{
    return game->board->may_enter[game->units[unit].nation][region];
}

static bool would_share(const Game *game, int unit, int region)
{
    int nation = game->units[unit].nation;
    if (nation == RUMANIAN)
        return nation_in(game, HUNGARIAN, region) > 0;
    if (nation == HUNGARIAN)
        return nation_in(game, RUMANIAN, region) > 0;
    return false;
}

static bool leave_the_game(Game *game, int nation)
{
    int emptied[UNITS], n_emptied = 0;
    if (game->in_play[nation] == 0)
        return false;
    game->in_play[nation] = 0;
    for (int i = 0; i < game->n_units; i++) {
        Unit *unit = &game->units[i];
        if (unit->nation != nation || unit->status == GONE)
            continue;
        int region = unit->region;
        go(game, i, NOWHERE);
        *unit = (Unit){nation, GONE, NOWHERE, 0, -1};
        if (region != NOWHERE && units_in(game, region) == 0)
            emptied[n_emptied++] = region;
    }
    fall(game, emptied, n_emptied);
    return true;
}

static void departures(Game *game)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int nation = 0; nation < NATIONS; nation++) {
            int capital = (int)game->board->leaves_with[nation];
            if (capital != NOWHERE && game->places[capital].holder == SOVIET && leave_the_game(game, nation))
                changed = true;
        }
    }
}

static void calendar_departures(Game *game)
{
    for (int nation = 0; nation < NATIONS; nation++) {
        int leaves_in = (int)game->rules->leaves_in[nation];
        if (leaves_in != 0 && leaves_in <= game->turn && leave_the_game(game, nation))
            departures(game);
    }
}

static void lose(Game *game, int unit)
{
    Unit *loser = &game->units[unit];
    game->losses++;
    go(game, unit, NOWHERE);
    if (game->rules->never_returns[loser->nation]) {
        game->in_play[loser->nation]--;
        loser->status = GONE;
        return;
    }
    loser->status = WAITING;
    loser->due = game->turn + (int)game->rules->returns_after;
    loser->rank = game->losses;
}

static bool comes_before(const Unit *a, const Unit *b, int turn)
{
    bool a_is_of_this_turn = a->rank == 0 && a->due == turn, b_is_of_this_turn = b->rank == 0 && b->due == turn;
    if (a_is_of_this_turn != b_is_of_this_turn)
        return a_is_of_this_turn;
    return a->due != b->due ? a->due < b->due : a->rank < b->rank;
}

static int next_reinforcement(const Game *game, const bool *skipped)
{
    int best = NOWHERE;
    for (int i = 0; i < game->n_units; i++) {
        const Unit *unit = &game->units[i];
        if (unit->status == WAITING && unit->due <= game->turn && !skipped[i]
            && (best == NOWHERE || comes_before(unit, &game->units[best], game->turn)))
            best = i;
    }
    return best;
}

static bool may_place(const Game *game, int unit, int region)
{
    return is_axis(game, region)
        && (game->board->is_home[game->units[unit].nation][region] || !borders_soviet(game, region))
        && may_enter(game, unit, region) && !would_share(game, unit, region);
}

static bool has_place(const Game *game, int unit)
{
    for (int region = 0; region < game->n_places; region++)
        if (may_place(game, unit, region))
            return true;
    return false;
}

/* 5 Soviet attacks */

static int nearest_fronts(const Game *game, int64_t first, int64_t second, int *found)
{
    int far = game->n_places, count = 0;
    int64_t best = far * far;
    for (int i = 0; i < game->n_fronts; i++) {
        int region = game->fronts[i];
        const int64_t *lines = game->board->lines_between[region];
        int64_t distance = lines[first] * far + lines[second];
        if (distance < best) {
            best = distance;
            count = 0;
        }
        if (distance == best)
            found[count++] = region;
    }
    return count;
}

static int weak_points(const Game *game, int *found)
{
    int least_german = 1, fewest = game->n_units + 1, count = 0;
    for (int i = 0; i < game->n_fronts; i++) {
        int region = game->fronts[i];
        int german = nation_in(game, GERMAN, region) > 0, units = units_in(game, region);
        if (german < least_german || (german == least_german && units < fewest)) {
            least_german = german;
            fewest = units;
            count = 0;
        }
        if (german == least_german && units == fewest)
            found[count++] = region;
    }
    return count;
}

/* Front regions that a face of the target die may mean; -1: roll again. */
static int targets(const Game *game, int die, int *found)
{
    const int64_t *names = game->rules->target_names[die - 1];
    if (names[0] == FIVE)
        return -1;
    if (names[0] == WEAK_POINT)
        return weak_points(game, found);
    return nearest_fronts(game, names[0], names[1], found);
}

static bool has_way_out(const Game *game, int region)
{
    for (const int64_t *other = game->board->neighbours[region]; *other != NOWHERE; other++)
        if (is_axis(game, (int)*other))
            return true;
    for (const int64_t *other = game->board->overseas[region]; *other != NOWHERE; other++)
        if (is_axis(game, (int)*other))
            return true;
    return false;
}

static int ways_out(const Game *game, int unit, int *found)
{
    int origin = game->units[unit].region, count = 0, alone = 0;
    for (const int64_t *other = game->board->neighbours[origin]; *other != NOWHERE; other++)
        if (is_axis(game, (int)*other) && may_enter(game, unit, (int)*other))
            found[count++] = (int)*other;
    for (const int64_t *other = game->board->overseas[origin]; *other != NOWHERE; other++)
        if (is_axis(game, (int)*other) && may_enter(game, unit, (int)*other))
            found[count++] = (int)*other;
    for (int i = 0; i < count; i++) {
        if (!would_share(game, unit, found[i])) {
            int swapped = found[alone];
            found[alone++] = found[i];
            found[i] = swapped;
        }
    }
    return alone > 0 ? alone : count;
}

static void give_up(Game *game, int nation, int region)
{
    for (int i = 0; i < game->n_units; i++)
        if (game->units[i].region == region && game->units[i].nation == nation)
            lose(game, i);
}

/* What `hold` weighs a position with (sim/barbarossa/appraisal.py); sums in the same order give the same numbers. */

static const double OFFENCE = 0.5, DEFENCE = 1.5, IN_LINE = 0.01, BEHIND = 0.1, SOVIET_WANTS = 1e9, CAPITAL = 0.3, GERMANS_FIRST = 0.5;

static void spread(const Game *game, double *want)
{
    int rising[2][PLACES], listed[PLACES] = {0}, count = game->n_fronts;
    for (int i = 0; i < count; i++)
        rising[0][i] = game->fronts[i];
    for (int region = 0; region < game->n_places; region++)
        want[region] = is_axis(game, region) ? want[region] : SOVIET_WANTS;
    for (int step = 1; count > 0; step++) {
        int *now = rising[step & 1 ^ 1], *next = rising[step & 1], next_count = 0;
        for (int i = 0; i < count; i++) {
            double part = BEHIND * want[now[i]];
            for (const int64_t *other = game->board->neighbours[now[i]]; *other != NOWHERE; other++) {
                if (want[*other] < part) {
                    want[*other] = part;
                    if (listed[*other] < step) {
                        listed[*other] = step;
                        next[next_count++] = (int)*other;
                    }
                }
            }
        }
        count = next_count;
    }
}

/* Where units are wanted. */
static void wanted(const Game *game, double *want)
{
    int found[PLACES];
    for (int region = 0; region < game->n_places; region++)
        want[region] = 0;
    for (int face = 1; face <= FACES; face++) {
        int count = targets(game, face, found);
        for (int i = 0; i < count; i++)
            want[found[i]] += 1.0 / (FACES * count);
    }
    double attack = OFFENCE * (double)game->rules->faces_taking[game->turn - 1][1][0] / FACES;
    for (int i = 0; i < game->n_fronts; i++) {
        int region = game->fronts[i];
        want[region] *= DEFENCE;
        for (const int64_t *other = game->board->neighbours[region]; *other != NOWHERE; other++)
            if (!is_axis(game, (int)*other))
                want[region] += IN_LINE + attack;
    }
    spread(game, want);
}

static int best_refuge(const Game *game, int unit)
{
    double want[PLACES], best = -1;
    int found[2 * LINKS], where = NOWHERE, count = ways_out(game, unit, found);
    wanted(game, want);
    for (int i = 0; i < count; i++) {
        int region = found[i];
        double value = want[region] / (units_in(game, region) + 1);
        for (int nation = 0; nation < NATIONS; nation++)
            if (game->board->leaves_with[nation] == region)
                value += CAPITAL;
        if (value > best || (value == best && region < where)) {
            best = value;
            where = region;
        }
    }
    return where;
}

static int best_place(const Game *game, int unit)
{
    double want[PLACES], best = -1;
    int where = NOWHERE;
    wanted(game, want);
    for (int region = 0; region < game->n_places; region++) {
        if (!may_place(game, unit, region))
            continue;
        double value = want[region] / (units_in(game, region) + 1);
        if (value > best) {
            best = value;
            where = region;
        }
    }
    return where;
}

static double loss_of(const Game *game, int unit)
{
    const Rules *rules = game->rules;
    int nation = game->units[unit].nation, left = (int)rules->n_turns - game->turn + 1;
    int leaves_in = (int)rules->leaves_in[nation], returns_after = (int)rules->returns_after;
    if (leaves_in > 0 && leaves_in - game->turn < left)
        left = leaves_in - game->turn;
    double cost = rules->never_returns[nation] || left < returns_after ? left : returns_after;
    return nation == GERMAN ? cost + GERMANS_FIRST : cost;
}

/* The turn (sim/barbarossa/turn.py) */

static void take_losses(Game *game, int region, int64_t number)
{
    for (; number > 0; number--) {
        int best = NOWHERE;
        double least = 0;
        for (int i = 0; i < game->n_units; i++) {
            if (game->units[i].region != region)
                continue;
            double loss = loss_of(game, i);
            if (best == NOWHERE || loss < least) {
                best = i;
                least = loss;
            }
        }
        if (best == NOWHERE)
            return;
        lose(game, best);
    }
}

static void retreat_or_lose(Game *game, int region)
{
    int stack[UNITS], found[2 * LINKS], count = 0;
    if (!has_way_out(game, region)) {
        take_losses(game, region, game->rules->losses_without_way_out);
        return;
    }
    for (int i = 0; i < game->n_units; i++)
        if (game->units[i].region == region)
            stack[count++] = i;
    for (int i = 0; i < count; i++) {
        if (ways_out(game, stack[i], found) == 0) {
            lose(game, stack[i]);
            continue;
        }
        int refuge = best_refuge(game, stack[i]);
        bool shares = would_share(game, stack[i], refuge);
        enter(game, stack[i], refuge);
        if (shares) {
            bool rumanians = nation_in(game, RUMANIAN, refuge) < nation_in(game, HUNGARIAN, refuge);
            give_up(game, rumanians ? RUMANIAN : HUNGARIAN, refuge);
        }
    }
}

static void soviet_attack(Game *game, int region, int attack)
{
    int units = units_in(game, region);
    if (units > 0) {
        int64_t d3 = game->rules->soviet_d3[roll(game, SOVIET_RESULT, attack, 0, FACES) - 1];
        int64_t result = game->rules->soviet_table[d3 - 1];
        if (units == 1 && nation_in(game, GERMAN, region) == 0)
            result = game->rules->single_non_german[result];
        if (result == LOSS)
            take_losses(game, region, game->rules->losses);
        else if (result == RETREAT_OR_LOSS)
            retreat_or_lose(game, region);
    }
    if (units_in(game, region) == 0)
        become_soviet(game, region);
    departures(game);
}

static void soviet_attacks(Game *game, int64_t difficulty)
{
    const Rules *rules = game->rules;
    int64_t number = rules->attacks[difficulty][game->turn - 1];
    number += rules->attack_die[difficulty][game->turn - 1][roll(game, SOVIET_ATTACK_NUMBER, 0, 0, FACES) - 1];
    for (int attack = 0; attack < number; attack++) {
        int found[PLACES], n = 0, count;
        do
            count = targets(game, roll(game, SOVIET_TARGET, attack, n++, FACES), found);
        while (count < 0);
        if (count > 0)
            soviet_attack(game, found[count > 1 ? roll(game, SOVIET_TIE, attack, 0, count) - 1 : 0], attack);
    }
}

static void reinforcements(Game *game)
{
    bool skipped[UNITS] = {false};
    int64_t free = game->turn == game->rules->unlimited_turn ? game->n_units : game->rules->reinforcements_each_turn;
    while (free > 0) {
        int unit = next_reinforcement(game, skipped);
        if (unit == NOWHERE)
            return;
        if (!has_place(game, unit)) {
            skipped[unit] = true;
            continue;
        }
        int region = best_place(game, unit);
        game->units[unit].status = ON_MAP;
        game->units[unit].due = 0;
        game->units[unit].rank = -1;
        enter(game, unit, region);
        free--;
    }
}

static void play_game(Game *game, const Start *start, int64_t difficulty, Result *result)
{
    for (; game->turn <= game->rules->n_turns; game->turn++) {
        if (game->turn != start->first_turn || start->first_phase == 0) {
            calendar_departures(game);
            reinforcements(game);
        }
        soviet_attacks(game, difficulty);
    }
    int regions = game->axis_regions, level = 0;
    for (int i = 0; i < LEVELS; i++)
        if (regions >= game->rules->levels[i])
            level = i;
    *result = (Result){
        .winner = level == 2 ? DRAWN : level > 2 ? AXIS : SOVIET,
        .outcome = level,
        .margin = regions - game->rules->levels[2],
        .turns = game->turn - 1,
        .red_territory = game->n_places - regions,
        .blue_territory = regions,
        .fault_value = INT64_MIN,
        .axis_units_lost = game->losses,
    };
}

/* Plays a game for each replication. */
void play_games(const Board *board, const Rules *rules, const Start *start, const State *state, int64_t difficulty,
                uint64_t seed, const uint64_t *replications, int64_t n, Result *results)
{
    Game fresh = {.board = board, .rules = rules, .seed = seed, .turn = (int)state->turn,
                  .n_units = (int)state->n_units, .n_places = (int)state->n_places};
    for (int i = 0; i < fresh.n_units; i++)
        fresh.units[i] = (Unit){(int)state->units[i].nation, (int)state->units[i].status, (int)state->units[i].region,
                                (int)state->units[i].due, (int)state->units[i].rank};
    for (int i = 0; i < fresh.n_places; i++)
        fresh.places[i] = (Place){.holder = (int)state->places[i].holder, .garrison = (int)state->places[i].garrison};
    count_anew(&fresh);
    for (int64_t i = 0; i < n; i++) {
        Game game = fresh;
        game.replication = replications[i];
        play_game(&game, start, difficulty, &results[i]);
    }
}
