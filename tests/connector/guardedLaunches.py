#!/usr/bin/env python3
"""Launches the campaign of guarded regions under mpirun many times, with 2 to 16 ranks, and counts regions, hangs and calls of MPI_Abort.

usage: guardedLaunches.py PROGRAM [--launches 300] [--regions 34] [--ranks 2 3 4 ...] [--seed 1] [--mpiexec mpirun] [--timeout 300]
"""
import argparse
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "acceptance"))
from launchedJob import LIMIT_S, endProblems, runJob, showFailure

SUMMARY = re.compile(r"^(\d+) regions on (\d+) ranks under mpirun, (\d+) calls of MPI_Abort, 0 problems$", re.MULTILINE)


def parseArguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath, help="ferryGuardedRegions")
    parser.add_argument("--launches", type=int, default=300)
    parser.add_argument("--regions", type=int, default=34, help="in each launch")
    parser.add_argument("--ranks", type=int, nargs="*", default=(2, 3, 4, 5, 7, 8, 12, 16), help="of the launches in turn")
    parser.add_argument("--seed", type=int, default=1, help="of the first launch")
    parser.add_argument("--mpiexec", default="mpirun", help="the launcher of the MPI library")
    parser.add_argument("--timeout", type=float, default=LIMIT_S, help="seconds after which a launch counts as hung")
    arguments = parser.parse_args()
    arguments.launcher, arguments.rankCounts = "mpirun", arguments.ranks
    return arguments


def problemsOf(result, arguments):
    problems = endProblems(result, arguments)
    summary = SUMMARY.search("\n".join(result.output()))
    if result.status != 0 and not result.hung:
        problems.append(f"exit status {result.status}")
    if summary is None or int(summary[1]) != arguments.regions or int(summary[2]) != arguments.ranks:
        problems.append("the line that says how many regions were run is not there")
    return problems


def main():
    arguments = parseArguments()
    regions, hangs, aborts, failures, slowest = 0, 0, 0, 0, 0.0
    for launch in range(arguments.launches):
        seed = arguments.seed + launch
        arguments.ranks = arguments.rankCounts[launch % len(arguments.rankCounts)]
        result = runJob(arguments, ["0", str(arguments.regions), str(seed)])
        slowest = max(slowest, result.seconds)
        hangs += result.hung
        aborts += sum("MPI_Abort was called" in line for line in result.errors())
        problems = problemsOf(result, arguments)
        if problems:
            failures += 1
            showFailure(f"launch {launch} (seed {seed}, {arguments.ranks} ranks)", result, problems)
        else:
            regions += arguments.regions
        if (launch + 1) % 20 == 0:
            print(f"{launch + 1} launches, {regions} regions, {failures} failed", flush=True)
    print(f"{arguments.launches} launches, {regions} regions, {hangs} hangs, {aborts} calls of MPI_Abort, {failures} failed; "
          f"the slowest took {slowest:.1f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
