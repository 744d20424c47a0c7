"""The scripts that write results: what they measure of a run, and how the index tells of claims."""

import os
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
URIM = "pit-limit=17 pit-limit-rule=skip trigger=2,3 chain=2,3,4 grand-slam=capture starvation=feed remainder=row"


@pytest.fixture(scope="module", autouse=True)
def scripts():
    sys.path.insert(0, str(SCRIPTS))
    yield
    sys.path.remove(str(SCRIPTS))


def test_a_run_is_measured_with_what_it_waited_for_and_not_with_who_started_it():
    from results_common import measured

    mebibytes = bytearray(200 << 20)  # of this process
    code, output, small = measured(["sh", "-c", "echo there; exit 3"], "small")
    assert (code, output, small["command"]) == (3, "there\n", "small")
    assert small["peak_mib"] < 100
    del mebibytes
    work = "x = bytearray(300 << 20)\nfor i in range(3_000_000): pass"
    _, _, large = measured(["sh", "-c", f"{sys.executable} -c '{work}'; true"], "large")
    assert large["peak_mib"] > 300
    assert 0 < large["cpu_seconds"] and 0 < large["seconds"]
    assert measured(["sh", "-c", "kill -9 $$"], "killed")[0] == 128 + 9
    assert measured([str(SCRIPTS / "not there")], "none")[0] == 127


def test_facts_name_one_commit_and_the_digest_of_rules():
    from results_common import Program, facts_of, rules_facts

    program = Program(os.environ["RETROSOW_BINARY"], "tables")
    built = program.records("version")[0]["commit"]
    clean = built.removesuffix("-dirty")
    assert facts_of(program, [f"commit={clean}"])["commit"] == clean  # results written since do not count
    assert facts_of(program, ["commit=other"])["commit"] == built
    assert not [fact for name, fact in facts_of(program, []).items() if name != "commit" and clean in fact]
    facts = rules_facts(program, "urim")
    assert facts["rules of Urim"] == f"`{URIM}`"
    assert facts["rules digest of Urim"] == "`2e2f1f19c3eea609fb3666ba309bdfc2`"


def test_a_claim_refers_to_a_better_proof_of_the_same_position():
    from results_index import best_proofs, reference

    def proof(position, low, high):
        return {"proved": {"rules": URIM, "position": position, "low": low, "high": high}}

    claims = {"urim": [proof("a", -29, 31), proof("b", 0, 0)], "search": [proof("a", -26, 28), proof("b", 0, 7), {}]}
    best = best_proofs(claims)
    told = {name: [reference(entry, best) for entry in entries] for name, entries in claims.items()}
    assert told == {"urim": [" (best: -26 to +28, see [Search](search/README.md))", ""],
                    "search": ["", " (best: 0, see [Urim](urim/README.md))", ""]}


def test_cells_of_tables_may_have_bars():
    from results_common import table

    assert table(("command",), [("a|b",)]).splitlines()[-1] == "| a\\|b |"
