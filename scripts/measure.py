#!/usr/bin/env python3
"""Runs a command and writes what it took.

usage: measure.py CALL.json COMMAND [ARGUMENT ...]

CALL.json gets `seconds`, `cpu_seconds` and `peak_mib` of the command and of the processes that it waited for, and
`load`, the machine's when it began. It is a process of its own and small because Linux counts the memory of the process
that starts another as the other's. Exit code: the command's; 128 + its signal; 127 if it cannot be run.
"""
import json
import os
import signal
import sys
import time


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    path, *words = sys.argv[1:]
    load, began = os.getloadavg()[0], time.monotonic()
    try:
        pid = os.posix_spawnp(words[0], words, os.environ)
    except OSError as error:
        print(f"{words[0]}: {error.strerror}", file=sys.stderr)
        sys.exit(127)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the command to answer
    _, status, usage = os.wait4(pid, 0)
    call = {"seconds": round(time.monotonic() - began, 2), "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 2),
            "peak_mib": round(usage.ru_maxrss / 1024, 1), "load": round(load, 2)}
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(call) + "\n")
    code = os.waitstatus_to_exitcode(status)
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
