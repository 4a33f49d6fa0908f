#!/usr/bin/env python3
"""Jobs whose slaves become more and fewer while they run: as threads, as processes that ferryrun has started, and where that is refused."""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "acceptance"))
from launchedJob import addJobOptions, endProblems, parseJobOptions, runJob, showFailure

ROUNDS = 6
LOST_RANK = 6    # docs/errors.md


class Way:
    """Arguments of the program, and its expected output: words on standard output, and texts on standard error."""
    def __init__(self, arguments, output, errors=(), status=0):
        self.arguments = arguments
        self.output = output
        self.errors = errors
        self.status = status


def ways(options):
    slaves = options.ranks - 1
    found = {
        "grow": Way(["grow", "3", "--ferry-log", "info"], [f"{slaves + 3} slaves have worked"], ["3 slaves have joined"]),
        "loseJoined": Way(["loseJoined"], ["two were lost, one has come"], ["was killed or has crashed"]),
        "refused": Way(["refused"], ["no slave can join this job: ferryrun has not started it (processes can join where it has, with Open MPI 4)", "done"]),
    }
    for change in ("left", "joined"):
        found[f"stuck.{change}"] = Way(["stuck", change], ["a deadlock was found"])
    found["stuck.lost"] = Way(["stuck", "lost"], ["two were lost, one has come", "a deadlock was found"])
    found["stillborn"] = Way(["stillborn"], [], [f"rank {slaves + 1} did not connect to the watch within 20000 ms"], LOST_RANK)
    for seed in range(options.seed, options.seed + options.schedules):
        found[f"seed {seed}"] = Way(["steps", str(ROUNDS), str(seed)], None)
    return found


def problemsOf(way, result, options):
    problems = endProblems(result, options)
    if result.status != way.status:
        problems.append(f"expected status {way.status}")
    if way.output is not None and result.output() != way.output:
        problems.append(f"expected {way.output} on standard output")
    everything = "\n".join(result.errors())
    return problems + [f"nothing says '{text}'" for text in way.errors if text not in everything]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    addJobOptions(parser)
    parser.add_argument("--schedules", type=int, default=0, help="number of jobs whose slaves change by chance")
    parser.add_argument("--seed", type=int, default=1, help="of the first of them")
    parser.add_argument("--way", nargs="*", default=[], help="what to run besides: grow, loseJoined, refused, stillborn, stuck.left, stuck.joined, stuck.lost")
    options = parseJobOptions(parser)
    known = ways(options)
    failures = 0
    for name in [name for name in known if name in options.way or name.startswith("seed ")]:
        for _ in range(options.repeat):
            result = runJob(options, known[name].arguments, variables={"FERRY_RESTARTS": "0"})
            if problems := problemsOf(known[name], result, options):
                showFailure(name, result, problems)
                failures += 1
    print(f"{failures} of the jobs failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
