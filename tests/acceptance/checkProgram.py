#!/usr/bin/env python3
"""Runs an acceptance program again and again, and checks each run against what its first comment says.

A run that does not end within the time-out is a hang: its stacks are shown, all its processes are killed, and it counts as failed.
"""
import argparse
import os
import sys

from expectations import CHECKS, FAILING, FAILURE_MARK
from launchedJob import runJob

MAX_SHOWN_FAILURES = 3


def parseArguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the built program")
    parser.add_argument("--source", required=True, help="its source, whose first comment says what to expect")
    parser.add_argument("--ranks", type=int, required=True, help="number of ranks, the master included")
    parser.add_argument("--launcher", choices=["threads", "mpirun"], required=True)
    parser.add_argument("--mpiexec", default="mpirun", help="the launcher of the MPI library")
    parser.add_argument("--repeat", type=int, default=1, help="number of runs")
    parser.add_argument("--timeout", type=float, default=60, help="seconds after which a run counts as hung")
    arguments = parser.parse_args()
    arguments.name = os.path.splitext(os.path.basename(arguments.source))[0]
    if arguments.name not in CHECKS:
        parser.error(f"no expectations for {arguments.name}: add them to expectations.py")
    if arguments.ranks < 2 or arguments.repeat < 1:
        parser.error("at least 2 ranks and 1 run")
    return arguments


def problemsOf(result, arguments):
    problems = []
    if result.hung:
        problems.append(f"hung: no end within {arguments.timeout:g} s")
    else:
        problems += CHECKS[arguments.name](result, arguments.source, arguments.ranks)
    if result.leftOver:
        problems.append("processes left over: " + "; ".join(result.leftOver))
    return problems


def showFailure(number, result, problems):
    print(f"run {number} failed: " + "; ".join(problems))
    print("  command: " + " ".join(result.command))
    print(f"  exit status {result.status}, ranks {result.rankStatuses}, {result.seconds:.2f} s")
    for title, lines in (("standard output", result.outputLines), ("standard error", result.errorLines)):
        print(f"  {title}, {len(lines)} lines:")
        for seconds, text in lines[-40:]:
            print(f"    {seconds:7.3f} s | {text}")
    if result.stacks:
        print(result.stacks)
    sys.stdout.flush()


def endDelay(result, name):
    """Seconds from the first sign of the failure to the end of the job, None for programs that do not fail."""
    signs = [seconds for seconds, text in result.outputLines if FAILURE_MARK.get(name, "\0") in text]
    return result.seconds - min(signs) if signs and not result.hung else None


def main():
    arguments = parseArguments()
    failures, durations, delays = 0, [], []
    for number in range(1, arguments.repeat + 1):
        # Every second run of a failing program records the status of each rank; the others run exactly as a user runs them.
        record = arguments.name in FAILING and arguments.launcher == "mpirun" and number % 2 == 0
        result = runJob(os.path.abspath(arguments.program), arguments.ranks, arguments.launcher, arguments.timeout,
                        mpiexec=arguments.mpiexec, recordRanks=record)
        durations.append(result.seconds)
        delay = endDelay(result, arguments.name)
        if delay is not None:
            delays.append(delay)
        problems = problemsOf(result, arguments)
        if problems:
            failures += 1
            showFailure(number, result, problems)
            if failures == MAX_SHOWN_FAILURES:
                break
    summary = f"{arguments.name}, {arguments.launcher}, {arguments.ranks} ranks: {len(durations)} runs, {failures} failed, "
    summary += f"{min(durations):.2f} to {max(durations):.2f} s each"
    if delays:
        summary += f", ended {max(delays):.2f} s after the failure at the latest"
    print(summary)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
