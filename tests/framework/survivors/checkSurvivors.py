#!/usr/bin/env python3
"""Programs on every rank whose ranks die: who, where and how is decided by a seed. All survivors must go on with the same members to the end,
and the program must end with status 0.

The program is started by ferryrun under the MPI at hand.
"""
import argparse
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "acceptance"))
from launchedJob import addJobOptions, endProblems, parseJobOptions, runJob, showFailure

STEPS = 40
HOWS = ["kill", "kill", "kill", "crash", "exit0", "exit3", "stop"]
LINE = re.compile(r"^rank (\d+):(.*)$")


def randomDoom(chance, rank, hows):
    point = chance.choice(["step", "packet", "time"])
    most = {"step": STEPS, "packet": 400, "time": 60}[point]
    count = chance.randint(0 if point == "time" else 1, most)
    return f"{rank}:{point}:{count}:{chance.choice(hows)}"


def historiesOf(lines):
    """Returns the groups of each rank that has printed them."""
    found = [LINE.match(line) for line in lines]
    return {int(match.group(1)): [[int(word) for word in group.split()] for group in match.group(2).split(";")[:-1]] for match in found if match}


def problemsOf(result, doomed, ranks):
    problems = [] if result.status == 0 else [f"expected status 0, found {result.status}"]
    histories = historiesOf(result.output())
    problems += [f"rank {rank} has not come to the end" for rank in range(ranks) if rank not in doomed and rank not in histories]
    for rank, groups in histories.items():
        problems += [f"rank {rank} is not in its group {group}" for group in groups if rank not in group]
        for other, others in histories.items():
            both = min(len(groups), len(others))
            if groups[:both] != others[:both]:
                problems.append(f"ranks {rank} and {other} have different groups")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    addJobOptions(parser)
    parser.add_argument("--schedules", type=int, default=10, help="number of runs")
    parser.add_argument("--seed", type=int, default=1, help="of the first run")
    parser.add_argument("--steps", type=int, default=STEPS, help="steps of the program")
    options = parseJobOptions(parser)
    failures = deaths = shrinks = 0
    for seed in range(options.seed, options.seed + options.schedules):
        chance = random.Random(seed)
        doomed = chance.sample(range(options.ranks), chance.randint(1, min(options.ranks - 1, 3)))
        # Nobody judges the silence of the rank that watches the others: rank 0, or a rank after it.
        hows = [how for how in HOWS if how != "stop" or 0 not in doomed]
        doom = ",".join(randomDoom(chance, rank, hows) for rank in doomed)
        result = runJob(options, [str(seed), str(options.steps)], variables={"FERRY_TEST_DOOM": doom, "FERRY_RESTARTS": "0"})
        histories = historiesOf(result.output())
        deaths += options.ranks - len(histories)
        shrinks += max((len(groups) for groups in histories.values()), default=0)
        if problems := problemsOf(result, doomed, options.ranks) + endProblems(result, options):
            failures += 1
            showFailure(f"seed {seed} (FERRY_TEST_DOOM={doom})", result, problems)
    print(f"{options.schedules} programs of {options.ranks} ranks: {deaths} ranks lost, {shrinks} times gone on with fewer, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
