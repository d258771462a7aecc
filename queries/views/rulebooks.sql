-- Written by `python -m queries.dictionary` from the rulebooks: do not edit.
-- The side of all units, what all units are, and what the report says of a red side without a choice.
create macro unit_side(rulebook) as case rulebook when 'barbarossa' then 'blue' end;
create macro unit_kind(rulebook) as case rulebook when 'tank_hex' then 'tank' end;
create macro director(rulebook) as case rulebook when 'barbarossa' then 'Policies of red are difficulties, no choices of a player: the best against each, no mixture.' end;

-- What a place is.
create macro kind_of_place(rulebook, place) as
    case
        when rulebook = 'barbarossa' then 'region'
        when rulebook = 'first_contact' and regexp_full_match(place, '[A-Z][0-9]+') then 'sector'
        when rulebook = 'first_contact' then 'objective'
        when rulebook = 'tank_hex' then 'objective'
        when rulebook = 'brandubh' then 'square'
        else 'place'
    end;
