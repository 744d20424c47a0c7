#!/usr/bin/env python3
"""Prints what a measured run is worth little without, a NAME=VALUE a line.

usage: facts.py PATH/TO/retrosow CALL.json GAMES [NAME=VALUE ...]

  CALL.json   what measure.py wrote of the run
  GAMES       whose default rules go with it, such as urim,rio-kadalis

Called by scripts/bench and scripts/bench_builder.
"""
import json
import pathlib
import sys

from results_common import Program, duration, facts_of, rules_facts


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    binary, call_path, games, *given = sys.argv[1:]
    call = json.loads(pathlib.Path(call_path).read_text(encoding="utf-8"))
    program = Program(binary, "")
    facts = {**facts_of(program, given), **rules_facts(program, *games.split(",")),
             "load when it began": f"{call['load']:.2f}", "time": duration(call["seconds"]),
             "processor time": duration(call["cpu_seconds"]), "most memory": f"{call['peak_mib']:,.0f} MiB"}
    print("\n".join(f"{name}={value}" for name, value in facts.items()))


if __name__ == "__main__":
    main()
