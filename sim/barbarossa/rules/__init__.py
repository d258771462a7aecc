"""The rules of Barbarossa Solitaire, one function for a clause, a file for a chapter.

All functions are compiled. A die is an argument; who rolls it is the business of `sim.barbarossa.turn`.
"""
# ruff: noqa: F401 (gathers the names of the chapters)

from sim.barbarossa.rules.attack import (
    attack_modifier,
    attack_result,
    capture,
    isolate,
    mark_lone_units,
    may_attack,
    may_attack_together,
)
from sim.barbarossa.rules.end import (
    axis_regions,
    count_units,
    deploy,
    garrison_the_empty,
    outcome,
    retreat_is_allowed,
    snapshot,
    write_result,
)
from sim.barbarossa.rules.frame import (
    Game,
    are_neighbours,
    become,
    become_soviet,
    borders_soviet,
    count_anew,
    enter,
    fall,
    fault,
    garrison_the_vacated,
    go,
    is_axis,
    is_front,
    is_vacated,
    leave,
    nation_in,
    note,
    take,
    units_in,
)
from sim.barbarossa.rules.movement import end_phase, may_move, move
from sim.barbarossa.rules.reinforcements import (
    calendar_departures,
    departures,
    give_up,
    has_place,
    leave_the_game,
    lose,
    may_enter,
    may_place,
    next_reinforcement,
    place,
    reinforcements_now,
    would_share,
)
from sim.barbarossa.rules.soviet import (
    can_retreat,
    has_way_out,
    may_retreat,
    nearest_fronts,
    number_of_attacks,
    retreat,
    soviet_result,
    targets,
    ways_out,
    weak_points,
)
