"""Solving, matches, building; errors; other threads and Ctrl-C while it runs."""

import dataclasses
import os
import signal
import threading
import time

import conftest
import pytest

import retrosow
from retrosow import Position, RuleSet

# Takes minutes: whoever starts it, stops it.
LONG = Position("start", pits=5)


@pytest.mark.parametrize(
    "words, options",
    [
        (["2,2,2/2,2,2"], {}),
        (["2,2,2/2,2,2", "--method", "search", "--threads", 1], {"method": "search", "threads": 1}),
        (["4,4/4,4", "--game", "rio-kadalis"], {}),
        (["2,1,0,3/1,2,2,0", "--pit-limit", 5, "--value-only"], {"value_only": True}),
        (["0,0/3,1"], {}),
    ],
)
def test_a_solution_is_that_of_the_program(program, words, options):
    (record,) = program("solve", *words)
    solution = retrosow.solve(Position(words[0], RuleSet.from_text(record["game"], record["rules"])), **options)
    assert solution.complete and solution.bounds == (solution.value, solution.value)
    assert (solution.value, solution.outcome, solution.method) == (record["value"], record["outcome"], record["method"])
    if "moves" in record:
        assert [dataclasses.asdict(move) for move in solution.moves] == record["moves"]
        assert solution.best == record["best"]
        assert solution.line_end == record["pv_end"]
        play = Position(words[0], RuleSet.from_text(record["game"], record["rules"]))
        for pit in solution.line:
            play = play.play(pit)
    else:
        assert solution.moves is None and solution.best is None and solution.line is None
    if solution.method == "search":
        assert (solution.nodes, solution.depth, solution.hash_hits) == tuple(record[k] for k in ("nodes", "depth", "hash_hits"))
        assert solution.table_values == 0
    else:
        assert solution.line == record.get("pv") and solution.depth is None


def test_a_limit_leaves_proved_bounds(program):
    (record,) = program("solve", "start", "--pits", 3, "--limit-nodes", 100, code=6)
    solution = retrosow.solve(Position("start", pits=3), limit_nodes=100)
    assert (solution.value, solution.outcome, solution.complete) == (None, None, False)
    assert list(solution.bounds) == record["bounds"]
    assert retrosow.solve(LONG, method="search", limit_seconds=0.1).seconds < 5
    proved = retrosow.solve("2,2,2/2,2,2", method="search", threads=1, limit_nodes=20_000)
    assert (proved.value, proved.complete, proved.moves) == (3, False, None)
    assert [move.pit for move in proved.move_bounds] == [1, 2, 3]
    assert all(low <= value <= high for (low, high), value in zip((m.bounds for m in proved.move_bounds), (-2, 3, 0)))
    assert retrosow.solve("1,1/1,1").move_bounds is None


def test_tables_are_read_by_a_solve(folder):
    tables = retrosow.Tables(folder)
    for method in ("tables", "search"):
        solution = retrosow.solve("1,1,2/0,1,3", tables=tables, method=method)
        assert solution.value == tables.value("1,1,2/0,1,3")
    assert solution.table_values > 0


def test_a_match_is_that_of_the_program(program):
    for starter, sow in (("alternate", "forbid"), ("loser", "draw")):
        records = program("match", "--pits", 3, "--starter", starter, "--endless-sow", sow)
        match = retrosow.solve_match(RuleSet("rio-kadalis", starter=starter, endless_sow=sow), pits=3)
        assert len(match.states) == len(records) > 4
        for state, record in zip(match.states, records):
            assert str(state.position) == record["position"]
            for key in ("outcome", "rounds", "monotone", "stones_suffice"):
                assert getattr(state, key) == record[key]
            for key in ("stones", "open", "aside"):
                assert list(getattr(state, key)) == record[key]
            for key in ("match_play", "stones_play"):
                play = {k: list(v) if isinstance(v, tuple) else v for k, v in dataclasses.asdict(getattr(state, key)).items()}
                assert {k: play[k] for k in record[key]} == record[key]
            if "line" in record:
                line = [{key: getattr(part, key) for key in ("starter", "first", "second")} for part in match.line]
                assert line == record["line"]
                moves = [{"pits": part.pits, "end": part.line_end} for part in match.line]
                if not record["line_end"] == "cycle":
                    assert moves.pop() == {"pits": None, "end": None}
                assert moves == record["line_moves"]
                assert (match.line_end, match.cycle_begin) == (record["line_end"], record["cycle_begin"])


def test_what_is_built_is_what_the_program_builds(program, tmp_path):
    built = retrosow.build(tmp_path / "a", "oware", seeds=5, pits=2, distance=True)
    records = program("build", "--game", "oware", "--seeds", 5, "--pits", 2, "--distance", "--out", tmp_path / "b")
    assert [(b.seeds, b.positions, b.digest, b.distance_digest, b.reused) for b in built] == [
        (r["seeds"], r["positions"], r["digest"], r["distance"]["digest"], False) for r in records
    ]
    program("verify", "--tables", tmp_path / "a")
    assert all(level.reused for level in retrosow.build(tmp_path / "a", "oware", seeds=5, pits=2))


@pytest.mark.parametrize(
    "call, error, base",
    [
        (lambda: Position("3,3/3"), retrosow.UsageError, ValueError),
        (lambda: Position("start", "chess"), retrosow.UsageError, ValueError),
        (lambda: Position("1,1/1,1", pits=3), retrosow.UsageError, ValueError),
        (lambda: Position.from_counts([1, 2, 3]), retrosow.UsageError, ValueError),
        (lambda: Position.from_counts([1, 256]), retrosow.UsageError, ValueError),
        (lambda: Position.from_counts([1, -(1 << 80)]), retrosow.UsageError, ValueError),
        (lambda: Position.from_counts([1, 0.5]), TypeError, TypeError),
        (lambda: Position("start", 3), TypeError, TypeError),
        (lambda: Position("1,2/3,4").play(3), retrosow.UsageError, ValueError),
        (lambda: Position("200,0/100,0", "awari"), retrosow.LimitError, retrosow.Error),
        (lambda: RuleSet("urim", endless_sow="draw"), retrosow.UsageError, ValueError),
        (lambda: RuleSet("urim", pit_limit=128), retrosow.UsageError, ValueError),
        (lambda: RuleSet.from_text("urim", "x"), retrosow.UsageError, ValueError),
        (lambda: retrosow.Tables("/no/such/folder"), retrosow.IoError, OSError),
        (lambda: retrosow.list_tables("/no/such/folder"), retrosow.IoError, OSError),
        (lambda: retrosow.LevelIndex(128), retrosow.LimitError, retrosow.Error),
        (lambda: retrosow.LevelIndex(4, 9), retrosow.UsageError, ValueError),
        (lambda: retrosow.LevelIndex(4, 2, "rio-kadalis"), retrosow.UsageError, ValueError),
        (lambda: retrosow.solve("1,1/1,1", method="magic"), retrosow.UsageError, ValueError),
        (lambda: retrosow.solve("1,1/1,1", threads=0), retrosow.UsageError, ValueError),
        (lambda: retrosow.solve("1,1/1,1", limit_seconds=-1), retrosow.UsageError, ValueError),
        (lambda: retrosow.solve(Position("1,1/1,1"), "oware"), retrosow.UsageError, ValueError),
        (lambda: retrosow.solve("20,20,20/20,20,20", "awari", memory_bytes=1 << 20, method="tables"), retrosow.LimitError, retrosow.Error),
        (lambda: retrosow.solve_match("urim"), retrosow.UsageError, ValueError),
        (lambda: retrosow.solve_match(pits=9), retrosow.UsageError, ValueError),
        (lambda: retrosow.build("/dev/null/x", seeds=1), retrosow.IoError, OSError),
        (lambda: retrosow.build("x"), retrosow.UsageError, ValueError),
        (lambda: retrosow.build("x", "rio-kadalis", seeds=3), retrosow.UsageError, ValueError),
    ],
)
def test_errors_have_their_classes(call, error, base):
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error and isinstance(caught.value, base) and str(caught.value)


def test_a_version_that_is_too_new_is_unsupported(tmp_path):
    golden = conftest.SOURCE / "tests" / "data" / "golden"
    (refused,) = [path for path in golden.iterdir() if "version" in path.name and "round" not in path.name]
    (tmp_path / refused.name).write_bytes(refused.read_bytes())
    levels, faults = retrosow.list_tables(tmp_path)
    assert levels == [] and "version" in faults[0].error


def test_other_threads_run_while_a_position_is_solved():
    """Counts in a second thread: with the GIL held it would stand still until the solve is over."""
    ticks, done = [0], threading.Event()

    def tick():
        while not done.is_set():
            ticks[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        for run in (
            lambda: retrosow.solve(LONG, method="search", limit_seconds=0.5, threads=1),
            lambda: Position().perft(10),
        ):
            before = ticks[0]
            run()
            assert ticks[0] - before > 10
    finally:
        done.set()
        thread.join()


def test_a_callback_sees_progress_and_may_stop_the_run(tmp_path):
    seen = []

    class Enough(Exception):
        pass

    def progress(report):
        seen.append(report)
        raise Enough

    began = time.monotonic()
    with pytest.raises(Enough):
        retrosow.build(tmp_path, seeds=20, progress=progress)
    assert time.monotonic() - began < 30
    assert len(seen) == 1 and seen[0].last_level == 20 and seen[0].phase


@pytest.mark.parametrize("run", [lambda: retrosow.solve(LONG, method="search", memory_bytes=1 << 24), lambda: LONG.perft(30)])
def test_ctrl_c_stops_a_long_run(run):
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        run()
    timer.join()
    assert time.monotonic() - began < 20
    assert retrosow.solve("1,1/1,1").value == 0  # and the module still works


def test_an_exception_carries_what_the_library_says(tmp_path):
    with pytest.raises(retrosow.IoError) as caught:
        retrosow.Tables(tmp_path / "nothing")
    assert caught.value.path == str(tmp_path / "nothing") and caught.value.offset is None
