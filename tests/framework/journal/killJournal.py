#!/usr/bin/env python3
"""Kills a whole job with a journal at seeded moments and resumes it until it is done.

Each step must have one right reply in the last run, and no more steps may be done twice than slaves had when they were killed.
"""
import argparse
import collections
import os
import random
import signal
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "acceptance"))
from launchedJob import addJobOptions, endProblems, kill, parseJobOptions, processesOf, runJob, showFailure    # noqa: E402 (the path comes first)
from launching import run    # noqa: E402

STEPS = 300
MOST_STEPS = 80           # number of steps that may begin before a run is killed
HELD_BY_SLAVE = 2         # one step that runs, and the next one
STARTS = 0.15             # share of the kills that come during the start of the job
MOST_START_S = {"threads": 0.02, "mpirun": 0.6}


def stepsBegun(path):
    try:
        with open(path, encoding="ascii") as log:
            return [int(line) for line in log.read().splitlines()]
    except FileNotFoundError:
        return []


class Killer(threading.Thread):
    """Kills all processes of a job a random time after a number of steps have begun. Works between entering and leaving it."""
    def __init__(self, log, steps, seconds, mark):
        super().__init__(daemon=True)
        self.log, self.steps, self.seconds, self.mark = log, steps, seconds, mark
        self.isOver = threading.Event()

    def __enter__(self):
        self.start()

    def __exit__(self, *failure):
        self.isOver.set()
        self.join()

    def run(self):
        while len(stepsBegun(self.log)) < self.steps and not self.isOver.wait(0.001):
            pass
        self.isOver.wait(self.seconds)
        while not self.isOver.wait(0.001):
            kill(processesOf(self.mark))


def problemsOf(result, begun, killCount, slaveCount):
    replies = collections.Counter(tuple(map(int, line.split())) for line in result.output())
    problems = [] if result.status == 0 else [f"the last run ended with status {result.status}"]
    if replies != {(step, step % 50): 1 for step in range(STEPS)}:
        problems.append(f"expected one right reply to each of {STEPS} steps, found {len(replies)} different ones, {sum(replies.values())} in all")
    if set(begun) != set(range(STEPS)):
        problems.append("some steps were never begun")
    if len(begun) - STEPS > killCount * slaveCount * HELD_BY_SLAVE:
        problems.append(f"{len(begun) - STEPS} steps were done again after {killCount} kills")
    return problems


def fileProblems(ferryFile, journal):
    """Checks the journal of a finished job with ferryFile. Returns the problems."""
    shown = run([ferryFile, "info", journal])
    if shown.returncode != 0 or "a journal of journaled" not in shown.stdout or f"in {STEPS} chunks" not in shown.stdout:
        return [f"expected a whole journal of {STEPS} records, found: {shown.stdout}{shown.stderr}"]
    return []


class Campaign:
    """Runs rounds. Each round is one job that is killed and resumed until it is done."""
    def __init__(self, options):
        self.options = options
        self.chance = random.Random(options.seed)
        self.killed = self.rounds = self.doneTwice = 0
        self.longestResume = 0.0

    def moment(self, begun):
        """Returns the number of steps before the kill, and the seconds after that."""
        if self.chance.random() < STARTS:
            return begun, self.chance.uniform(0, MOST_START_S[self.options.launcher])
        return begun + self.chance.randint(1, MOST_STEPS), self.chance.uniform(0, 0.005)

    def runRound(self):
        """Returns the problems of the round, and its last run."""
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            arguments = [str(STEPS), log, "--ferry-journal", os.path.join(folder, "journal")]
            killed = 0
            while True:
                watcher = None
                if self.killed + killed < self.options.kills:
                    moment = self.moment(len(stepsBegun(log)))
                    watcher = lambda result, mark: Killer(log, *moment, mark)
                result = runJob(self.options, arguments, watcher=watcher)
                if problems := endProblems(result, self.options):
                    return problems, result
                if result.status != -signal.SIGKILL:
                    break
                if said := [line for line in result.errors() if line.startswith("ferry:")]:
                    return [f"it said: {said}"], result
                killed += 1
            begun = stepsBegun(log)
            problems = fileProblems(self.options.ferryFile, arguments[-1]) if self.options.ferryFile else []
        self.killed += killed
        self.rounds += 1
        self.doneTwice += len(begun) - STEPS
        self.longestResume = max(self.longestResume, result.seconds)
        return problems + problemsOf(result, begun, killed, self.options.ranks - 1), result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    addJobOptions(parser)
    parser.add_argument("--kills", type=int, required=True)
    parser.add_argument("--ferryFile", help="the program that shows what is in a file")
    parser.add_argument("--seed", type=int, default=1)
    options = parseJobOptions(parser)
    campaign = Campaign(options)
    while campaign.killed < options.kills:
        problems, result = campaign.runRound()
        if problems:
            showFailure(f"round {campaign.rounds}, seed {options.seed}", result, problems)
            return 1
        if campaign.rounds > 4 * options.kills:
            print("the jobs are done before they are killed, so this proves nothing", file=sys.stderr)
            return 1
    print(f"{campaign.killed} kills, seed {options.seed}, {campaign.rounds} jobs of {STEPS} steps: each step has one reply, {campaign.doneTwice} were "
          f"done twice; the longest last run took {campaign.longestResume:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
