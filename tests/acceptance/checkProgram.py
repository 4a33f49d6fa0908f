#!/usr/bin/env python3
"""Runs an acceptance program again and again, and checks each run against what its first comment says.

A run that does not end within the time-out is a hang: its stacks are shown, all its processes are killed, and it counts as failed.
"""
import argparse
import os
import sys

from expectations import CHECKS, FAILING, FAILURE_MARK
from launchedJob import GRACE, addJobOptions, endProblems, parseJobOptions, runJob, showFailure

MAX_SHOWN_FAILURES = 3


def parseArguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    addJobOptions(parser)
    parser.add_argument("--source", required=True, help="its source, whose first comment says what to expect")
    arguments = parseJobOptions(parser)
    arguments.name = os.path.splitext(os.path.basename(arguments.source))[0]
    if arguments.name not in CHECKS:
        parser.error(f"no expectations for {arguments.name}: add them to expectations.py")
    return arguments


def problemsOf(result, arguments):
    problems = [] if result.hung else CHECKS[arguments.name](result, arguments.source, arguments.ranks)
    return problems + endProblems(result, arguments)


def endDelay(result, name):
    """Seconds from the first sign of the failure to the end of the job, None for programs that do not fail."""
    signs = [seconds for seconds, text in result.outputLines if FAILURE_MARK.get(name, "\0") in text]
    return result.seconds - min(signs) if signs and not result.hung else None


def main():
    arguments = parseArguments()
    failures, durations, delays = 0, [], []
    for number in range(1, arguments.repeat + 1):
        # Every second run of a failing program records the status of each rank; the others run exactly as a user runs them.
        # The ranks of a user's program write what is in their buffers when they exit, and need the launcher's usual time for it.
        result = runJob(arguments, recordRanks=arguments.name in FAILING and number % 2 == 0, variables={GRACE: "1"})
        durations.append(result.seconds)
        delay = endDelay(result, arguments.name)
        if delay is not None:
            delays.append(delay)
        problems = problemsOf(result, arguments)
        if problems:
            failures += 1
            showFailure(f"run {number}", result, problems)
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
