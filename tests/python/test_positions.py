"""Rules, positions, moves, perft."""

import pickle

import numpy as np
import pytest

import retrosow
from retrosow import CLOSED, Position, RuleSet


def rules_of(record):
    """The rules of a record of tests/data; `any`: an option that has no bearing on it."""
    options = {name: value for name, value in record["rules"].items() if name != "pits" and value != "any"}
    return RuleSet(record["game"], **options)


@pytest.mark.parametrize("name", ["urim", "oware", "rio-kadalis", "options"])
def test_moves_are_those_of_the_known_cases(data, name):
    records = data(f"moves-{name}.jsonl")[::5]
    assert len(records) > 30
    for record in records:
        position = Position(record["position"], rules_of(record), pits=record["rules"]["pits"])
        moves = {move.pit: move for move in position.moves()}
        if "legal" in record:
            assert sorted(moves) == record["legal"], record
        if record.get("endless"):
            assert record["pit"] not in moves or moves[record["pit"]].ends == "endless"
            continue
        if record["pit"] not in moves:  # the case says what sowing does, legal or not
            assert "legal" in record and record["pit"] not in record["legal"]
            continue
        move = moves[record["pit"]]
        assert (str(move.result), move.captured, move.captured_opponent) == (
            record["result"],
            record["captured"],
            record["captured_opponent"],
        ), record
        assert position.play(record["pit"]) == move.result


@pytest.mark.parametrize(
    "words",
    [
        ("0,0,0,0,1,2/2,1,0,3,0,4",),
        ("0,0,1/1,0,0", "--grand-slam", "leave"),
        ("0,0/3,1",),
        ("2,x,0,x,4,1/0,1,0,1,1,0", "--game", "rio-kadalis"),
        ("2,0,1,0,2,1/0,2,1,0,2,1", "--game", "rio-kadalis", "--endless-sow", "draw"),
    ],
)
def test_moves_are_those_of_the_program(program, words):
    (record,) = program("moves", *words)
    position = Position(words[0], RuleSet.from_text(record["game"], record["rules"]))
    moves = [
        {
            "pit": move.pit,
            "result": None if move.result is None else str(move.result),
            "captured": move.captured,
            "captured_opponent": move.captured_opponent,
            "ends": move.ends,
            **({} if move.laps is None else {"laps": move.laps}),
        }
        for move in position.moves()
    ]
    assert moves == record["moves"]
    end = position.end()
    assert (end and {"mover": end.mover, "opponent": end.opponent}) == record["end"]


def test_perft_counts_as_the_program(program):
    for words, position in [
        (["3,3,3,3,3,3/3,3,3,3,3,3"], Position()),
        (["start", "--game", "rio-kadalis", "--pits", 3], Position("start", "rio-kadalis", pits=3)),
    ]:
        columns = ["depth", "nodes", "captures", "captured", "captured_opponent", "ends"]
        expected = [[record[c] for c in columns] for record in program("perft", "--depth", 5, *words)]
        assert [[getattr(counts, c) for c in columns] for counts in position.perft(5)[1:]] == expected


def test_rules_and_their_digests_are_those_of_the_program(program, folder):
    for record in program("rules"):
        rules = RuleSet(record["game"])
        assert (rules.text, rules.family) == (record["rules"], record["family"])
        assert rules.options == {option["name"]: option["default"] for option in record["options"]}
    # The digest names files.
    assert f"-{RuleSet().digest[:12]}-" in retrosow.list_tables(folder)[0][-1].path


def test_options_are_taken_as_numbers_texts_and_sequences():
    rules = RuleSet("urim", pit_limit=12, trigger=[2, 3, 4], chain=(), grand_slam="leave", remainder=None)
    assert rules.text == (
        "pit-limit=12 pit-limit-rule=skip trigger=2,3,4 chain=none grand-slam=leave starvation=feed remainder=row"
    )
    assert rules == RuleSet.from_text("urim", rules.text) == eval(repr(rules)) == pickle.loads(pickle.dumps(rules))
    assert len({rules, RuleSet.from_text("urim", rules.text), RuleSet()}) == 2
    match = RuleSet("rio-kadalis", starter="loser")
    assert match != RuleSet("rio-kadalis") and match.plays_like(RuleSet("rio-kadalis"))
    assert pickle.loads(pickle.dumps(match)) == match


def test_a_position_survives_every_way_of_writing_it():
    for notation, rules in [("1,2,0/3,0,4", "urim"), ("2,x,0,9/x,0,x,1", RuleSet("rio-kadalis", endless_sow="draw"))]:
        position = Position(notation, rules)
        counts = position.counts
        assert counts.dtype == np.uint8 and counts.shape == (2 * position.pits,)
        assert str(position) == notation
        rows = counts.reshape(2, -1)
        for same in (Position.from_counts(counts, rules), Position.from_counts(list(counts), rules),
                     Position.from_counts(rows, rules), Position.from_counts(rows.tolist(), rules),
                     pickle.loads(pickle.dumps(position)), eval(repr(position))):  # fmt: skip
            assert same == position and hash(same) == hash(position)
    assert position.rows == (3, 2) and position.seeds == 12
    assert list(position.counts) == [2, CLOSED, 0, 9, CLOSED, 0, CLOSED, 1]
    assert Position("1,2/3,4") != Position("1,2/3,4", "oware") != "1,2/3,4"
    assert str(Position("start", "awari", pits=2)) == "4,4/4,4"
    assert str(Position("start", pits=1, seeds_per_pit=5)) == "5/5"


def test_an_endless_sow_has_no_position_behind_it():
    position = Position("2,0,1,0,2,1/0,2,1,0,2,1", RuleSet("rio-kadalis", endless_sow="draw"))
    (endless,) = [move for move in position.moves() if move.ends == "endless"]
    assert (endless.pit, endless.result, endless.laps) == (1, None, 60)
    with pytest.raises(retrosow.UsageError, match="never ends"):
        position.play(1)
