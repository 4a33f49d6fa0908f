#!/usr/bin/env python3
"""Runs a program of this folder and looks at its exit status and at what it prints.

expectOutput.py [--status N|failure|aborted] [--has REGEX]... [--lacks REGEX]... [--or-has REGEX] -- COMMAND...
--status aborted: SIGABRT ends the program; a launcher tells that as status 134.
--or-has: output in which this is found is right, whatever else there is."""
import argparse
import re
import signal
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--status", default="0")
    parser.add_argument("--has", action="append", default=[])
    parser.add_argument("--lacks", action="append", default=[])
    parser.add_argument("--or-has")
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    done = subprocess.run(arguments.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if arguments.or_has and re.search(arguments.or_has, done.stdout):
        return 0
    problems = []
    wanted = arguments.status
    if wanted == "aborted":
        if done.returncode not in (-signal.SIGABRT, 128 + signal.SIGABRT):
            problems.append(f"expected the end by SIGABRT, found status {done.returncode}")
    elif done.returncode < 0:
        problems.append(f"it was ended by signal {-done.returncode}")
    elif wanted == "failure" and done.returncode == 0:
        problems.append("expected a failure, found status 0")
    elif wanted != "failure" and done.returncode != int(wanted):
        problems.append(f"expected status {wanted}, found {done.returncode}")
    problems += [f"expected {text!r} in the output" for text in arguments.has if not re.search(text, done.stdout, re.MULTILINE)]
    problems += [f"found {text!r} in the output" for text in arguments.lacks if re.search(text, done.stdout, re.MULTILINE)]
    for problem in problems:
        print(problem)
    if problems:
        print("the output:", done.stdout, sep="\n")
    return 1 if problems else 0


sys.exit(main())
