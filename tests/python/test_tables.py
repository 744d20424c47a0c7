"""Table folders: single positions, arrays of them, whole levels, and the index order."""

import csv
import io
import sys
import threading

import conftest
import numpy as np
import pytest

import retrosow
from retrosow import NO_DISTANCE, LevelIndex, Position, Tables


def all_tables(folder):
    return [Tables(folder), Tables(folder, "rio-kadalis")]


def test_whole_levels_are_what_the_program_exports(program, folder, tmp_path):
    for tables in all_tables(folder):
        for level in tables.levels:
            words = ["--level", level.seeds, "--game", tables.rules.game]
            words += [level.info.start] if level.info.start else ["--pits", level.info.pits]
            for what, array in [("values", level.values()), ("distances", level.distances())]:
                out = tmp_path / "level.npy"
                (record,) = program("export", "--tables", folder, *words, "--what", what, "--format", "npy", "--out", out)
                exported = np.load(out)
                assert exported.dtype == array.dtype and np.array_equal(exported, array)
                digest = level.info.digest if what == "values" else level.info.distance_digest
                assert (record["positions"], record["digest"]) == (len(array), digest)


def test_the_boards_of_a_level_stand_in_index_order(program, folder, tmp_path):
    for tables in all_tables(folder):
        level = tables.levels[-1]
        out = tmp_path / "level.csv"
        words = [level.info.start] if level.info.start else ["--pits", level.info.pits]
        program("export", "--tables", folder, "--game", tables.rules.game, "--level", level.seeds, *words, "--out", out)
        rows = list(csv.DictReader(io.StringIO(out.read_text())))
        boards = level.boards()
        assert boards.dtype == np.uint8 and boards.shape == (len(level), 2 * level.info.pits)
        assert [str(Position.from_counts(board, tables.rules)) for board in boards] == [row["position"] for row in rows]
        assert list(level.index_of(boards)) == list(range(len(level)))
        assert str(level.position(len(level) - 1)) == rows[-1]["position"]
        assert np.array_equal(level.boards(1, 2), boards[1:3])
        assert np.array_equal(level.values(1, 2), level.values()[1:3])


def test_arrays_of_positions_get_the_values_and_distances_of_their_levels(folder):
    rng = np.random.default_rng(1)
    for tables in all_tables(folder):
        by_pits = {}
        for level in tables.levels:
            by_pits.setdefault(level.info.pits, []).append(level)
        for levels in by_pits.values():
            boards = np.concatenate([level.boards() for level in levels])
            order = rng.permutation(len(boards))
            values = tables.values(boards[order])
            distances = tables.distances(boards[order])
            assert (values.dtype, distances.dtype) == (np.int8, np.uint16)
            assert np.array_equal(values, np.concatenate([level.values() for level in levels])[order])
            assert np.array_equal(distances, np.concatenate([level.distances() for level in levels])[order])
            assert np.array_equal(values == 0, distances == NO_DISTANCE)
            positions = [Position.from_counts(board, tables.rules) for board in boards[:5]]
            assert list(tables.values(positions)) == list(tables.values(boards[:5].astype(np.int64)))


def test_a_probe_is_that_of_the_program(program, folder):
    rng = np.random.default_rng(2)
    for tables in all_tables(folder):
        for level in tables.levels:
            position = level.position(int(rng.integers(len(level))))
            (record,) = program("probe", "--tables", folder, "--game", tables.rules.game, position)
            probe = tables.probe(position)
            assert [(m.pit, m.value, m.distance) for m in probe.moves] == [
                (m["pit"], m["value"], m["distance"]) for m in record["moves"]
            ]
            for key in ("value", "outcome", "distance", "best", "progress"):
                assert getattr(probe, key) == record[key]
            assert tables.value(position) == tables.probe(str(position)).value == probe.value


def test_statistics_are_those_of_the_program(program, folder):
    levels = [level for tables in all_tables(folder) for level in tables.levels]
    records = program("stats", "--tables", folder)
    assert len(levels) == len(records)
    for level in levels:
        stats = level.stats()
        (record,) = [r for r in records if (r["digest"], r["seeds"], r["positions"]) == (stats.digest, level.seeds, len(level))
                     and r.get("start") == level.info.start and r.get("pits", 3) == level.info.pits]  # fmt: skip
        assert {str(value): count for value, count in stats.values.items()} == record["values"]
        for key in ("wins", "draws", "losses", "longest_distance", "longest_distance_positions", "longest_distance_position"):
            assert getattr(stats, key) == record[key]
        assert level.info.scope == record["scope"] and level.info.keys_digest == record.get("keys_digest")


def test_listing_a_folder_shows_every_level_of_every_rule_set(folder):
    levels, faults = retrosow.list_tables(folder)
    assert faults == []
    assert [info for tables in all_tables(folder) for info in (level.info for level in tables.levels)] == sorted(
        levels, key=lambda info: info.game != "urim"
    )
    assert {info.pits for info in levels if info.game == "urim"} == {3, 6}


def test_values_are_those_of_the_known_cases(data, folder):
    tables, compared = Tables(folder), 0
    for record in data("values.jsonl"):
        if record["game"] != "urim" or set(record["rules"]) != {"pits"} or "seeds" not in record:
            continue
        if record["rules"]["pits"] != 3 or record["seeds"] > 8:
            continue
        stats = tables.level(record["seeds"], pits=3).stats()
        assert {str(value): count for value, count in stats.values.items()} == record["values"]
        compared += 1
    assert compared == 9


@pytest.mark.parametrize("pits, seeds, rules", [(1, 0, "urim"), (2, 7, retrosow.RuleSet(pit_limit=3)), (3, 6, "awari"), (8, 3, "urim")])
def test_ranks_are_a_bijection_in_the_documented_order(pits, seeds, rules):
    index = LevelIndex(seeds, pits, rules)
    boards = index.unrank(np.arange(len(index)))
    assert boards.shape == (index.size, 2 * pits) and boards.dtype == np.uint8
    assert np.array_equal(index.rank(boards), np.arange(index.size)) and index.rank(boards).dtype == np.int64
    # Ascending by the seeds of the opponent's row, then by that row, then by the mover's: so nothing occurs twice.
    keys = [(sum(board[pits:]), *board[pits:], *board[:pits]) for board in boards.tolist()]
    assert keys == sorted(set(keys))
    assert (boards.sum(axis=1) == seeds).all()
    limit = index.rules.options["pit-limit"]
    assert boards.max(initial=0) <= (int(limit) if limit != "0" else seeds)


def test_one_board_out_of_order_is_noticed():
    boards = LevelIndex(4, 2).unrank(np.arange(35))[::-1]
    assert not np.array_equal(LevelIndex(4, 2).rank(boards), np.arange(35))


def test_boards_that_no_table_has_are_refused_or_masked(folder):
    boards = np.array([[1, 0, 0, 0, 0, 1], [9, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]])
    with Tables(folder) as tables:
        with pytest.raises(retrosow.IoError, match="board 1: no table of level 9 of urim 2x3 "):
            tables.values(boards)
        for answer in (tables.values(boards, mask=True), tables.distances(boards, mask=True)):
            assert list(answer.mask) == [False, True, False]
        assert list(tables.values(np.delete(boards, 1, axis=0))) == list(tables.values(boards, mask=True).compressed())
        assert len(tables.values(np.zeros((0, 6), np.uint8))) == 0


def test_missing_distances_are_told_apart_from_missing_values(tmp_path):
    retrosow.build(tmp_path, seeds=3, pits=2)
    with Tables(tmp_path) as tables:
        probe = tables.probe("1,1/1,0")
        assert (probe.distance, probe.progress) == (None, None) and probe.moves[0].distance is None
        with pytest.raises(retrosow.IoError, match="board 0: no distances of level 3"):
            tables.distances([Position("1,1/1,0")])
        with pytest.raises(retrosow.IoError, match="there are no distances"):
            tables.level(3).distances()


@pytest.mark.parametrize(
    "boards, words",
    [
        (np.zeros((2, 5), np.uint8), "shape"),
        (np.zeros(6, np.uint8), "shape"),
        (np.zeros((2, 18), np.uint8), "shape"),
        (np.zeros((2, 6)), "float64"),
        (np.full((2, 6), 256), "from 0 to 255"),
        (np.full((2, 6), -1), "from 0 to 255"),
        (np.array([[0, 0, 0, 0, 0, 0], [0, 0, 18, 0, 0, 0]]), "board 1: .*pit limit"),
        (np.array([[255, 0, 0, 0, 0, 0]]), "board 0: .*closed hole"),
        (Position("1,0/0,0"), "list"),
        ([Position("1,0/0,0"), Position("1,0,0/0,0,0")], "different numbers of pits"),
        ([Position("1,0/0,0", "oware")], "other rules"),
    ],
)
def test_arrays_that_are_no_boards_are_refused(folder, boards, words):
    with pytest.raises(retrosow.UsageError, match=words):
        Tables(folder).values(boards)


def test_indices_and_ranges_outside_a_level_are_refused(folder):
    index, level = LevelIndex(2, 2), Tables(folder).level(4, pits=3)
    for indices in ([10], [-1], [0.5], [[1]], np.array([2**63], np.uint64)):
        with pytest.raises(retrosow.UsageError):
            index.unrank(indices)
    for boards in ([[1, 0, 0, 0]], [[1, 0, 0, 0, 0, 1]]):
        with pytest.raises(retrosow.UsageError):
            index.rank(boards)
    for read in (level.values, level.distances, level.boards):
        for words in ((126, 1), (0, 127), (-1, 1), (0, -1), (0.5, 1), (2**64 - 1, 2)):
            with pytest.raises(retrosow.UsageError):
                read(*words)
        assert len(read(126)) == 0
    assert list(level.index_of([[4, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]])) == [int(level.index_of([[4, 0, 0, 0, 0, 0]])[0]), -1]


def test_which_level_is_meant_must_be_clear(folder):
    with Tables(folder) as tables:
        with pytest.raises(retrosow.UsageError, match="several"):
            tables.level(3)
        assert tables.level(3, pits=6).info.pits == 6 and tables.level(7).info.pits == 3
        with pytest.raises(retrosow.IoError, match=r"there: .*levels 0\.\.8 with distances"):
            tables.level(9)
    with Tables(folder, "rio-kadalis") as rounds:
        assert rounds.level(20, start="4,4,4/4,4,x").info.start == "4,4,4/4,4,x"
        with pytest.raises(retrosow.IoError):
            rounds.level(20, start="4,4,x/4,4,4")


def test_closed_tables_answer_nothing(folder):
    with Tables(folder) as tables:
        level = tables.levels[0]
        assert not tables.closed
    assert tables.closed
    for call in (lambda: tables.levels, lambda: tables.faults, lambda: tables.value("1,0,0/0,0,0"), level.values, level.boards):
        with pytest.raises(retrosow.UsageError, match="closed"):
            call()


def test_a_level_keeps_its_tables_open(folder):
    assert len(Tables(folder).level(4, pits=3).values()) == 126


def test_probing_is_safe_from_many_threads(folder):
    with Tables(folder, cache_bytes=1 << 14) as tables:  # blocks come and go
        level = tables.level(8, pits=3)
        boards, expected, wrong = level.boards(), level.values(), []

        def probe(seed):
            order = np.random.default_rng(seed).permutation(len(boards))
            for _ in range(20):
                if not np.array_equal(tables.values(boards[order]), expected[order]):
                    wrong.append(seed)

        threads = [threading.Thread(target=probe, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []


def test_closing_tables_in_one_thread_harms_no_other(folder):
    boards = Tables(folder).level(8, pits=3).boards()
    expected = Tables(folder).values(boards)
    for _ in range(5):
        tables, answers = Tables(folder), []

        def probe():
            try:
                while True:
                    answers.append(np.array_equal(tables.values(boards), expected))
            except retrosow.UsageError as error:
                answers.append("closed" in str(error))

        threads = [threading.Thread(target=probe) for _ in range(2)]
        for thread in threads:
            thread.start()
        tables.close()
        for thread in threads:
            thread.join()
        assert len(answers) >= 2 and all(answers)


def test_a_damaged_file_is_a_fault_of_the_folder_and_an_error_where_it_is_needed(tmp_path):
    retrosow.build(tmp_path, seeds=4, pits=2)
    path = retrosow.list_tables(tmp_path)[0][-1].path
    with open(path, "r+b") as file:
        file.seek(-1, 2)
        last = file.read(1)
        file.seek(-1, 2)
        file.write(bytes([last[0] ^ 1]))
    with Tables(tmp_path) as tables:
        with pytest.raises(retrosow.CorruptError) as caught:
            tables.level(4).values()
        assert caught.value.path == path
    with open(path, "r+b") as file:
        file.truncate(100)
    with Tables(tmp_path) as tables:
        assert [fault.path for fault in tables.faults] == [path]
        assert [level.seeds for level in tables.levels] == [0, 1, 2, 3]
        for call in (tables.value, tables.probe):
            with pytest.raises(retrosow.CorruptError, match="faulty files"):
                call("2,0/2,0")


def test_the_independent_reader_reads_the_same_values(folder):
    """scripts/decode_table.py was written from FORMAT.md alone."""
    sys.path.insert(0, str(conftest.SOURCE / "scripts"))
    import decode_table

    if not decode_table.can_unpack():
        pytest.fail("the command zstd is needed")
    level = Tables(folder).level(6, pits=3)
    assert decode_table.read_table(level.info.path).raw() == level.values().tobytes()
