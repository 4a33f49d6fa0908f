#!/usr/bin/env python3
"""Runs a job with a trace and statistics, and checks that they are whole: each task is there once, on the rank that did it; slices of a rank do not
overlap; each arrow has two ends, which lie in slices of their ranks, the second no earlier than the first."""
import argparse
import collections
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "acceptance"))
from launchedJob import addJobOptions, endProblems, parseJobOptions, runJob, showFailure

STEPS = 200
ROUNDING_US = 0.002    # times have three decimals


def sliceProblems(events, ranks):
    problems = []
    tasks = collections.Counter(event["args"]["number"] for event in events if event.get("cat") == "task")
    if tasks != {number: 1 for number in range(1, STEPS + 1)}:
        problems.append(f"expected each of {STEPS} tasks once, found {len(tasks)} different ones, {sum(tasks.values())} in all")
    for rank in range(ranks):
        ends = 0.0    # no slice begins before the start of the trace
        for event in sorted((event for event in events if event["ph"] == "X" and event["tid"] == rank), key=lambda event: event["ts"]):
            if event["ts"] < ends - ROUNDING_US:
                problems.append(f"two slices of rank {rank} overlap at {event['ts']} us")
            if event["dur"] < 0:
                problems.append(f"a slice of rank {rank} ends before it begins, at {event['ts']} us")
            ends = event["ts"] + event["dur"]
        if not any(event.get("cat") in ("task", "wait") and event["tid"] == rank for event in events):
            problems.append(f"rank {rank} has neither tasks nor waits")
    return problems


def arrowProblems(events, errorsUs):
    problems = []
    begins = {event["id"]: event for event in events if event["ph"] == "s"}
    ends = {event["id"]: event for event in events if event["ph"] == "f"}
    if begins.keys() != ends.keys() or len(begins) != 2 * STEPS:
        problems.append(f"expected {2 * STEPS} arrows with both ends, found {len(begins)} beginnings and {len(ends)} ends")
    slices = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            slices[event["tid"]].append((event["ts"] - ROUNDING_US, event["ts"] + event["dur"] + ROUNDING_US))
    for number in begins.keys() & ends.keys():
        begin, end = begins[number], ends[number]
        if begin["ts"] > end["ts"] + max(errorsUs[begin["tid"]], errorsUs[end["tid"]]) + ROUNDING_US:
            problems.append(f"arrow {number} goes back in time, from {begin['ts']} to {end['ts']} us")
        for place in (begin, end):
            if not any(first <= place["ts"] <= last for first, last in slices[place["tid"]]):
                problems.append(f"arrow {number} touches no slice of rank {place['tid']} at {place['ts']} us")
    return problems


def statisticsProblems(statistics, slaveCount):
    tasks = [slave["tasks"] for slave in statistics["slaves"]]
    if statistics["tasks"] != STEPS or sum(tasks) != STEPS or len(tasks) != slaveCount:
        return [f"expected {STEPS} tasks of {slaveCount} slaves in the statistics, found {statistics['tasks']}, by slave {tasks}"]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    addJobOptions(parser)
    options = parseJobOptions(parser)
    with tempfile.TemporaryDirectory() as folder:
        trace, statistics = os.path.join(folder, "trace"), os.path.join(folder, "statistics")
        result = runJob(options, [str(STEPS), os.path.join(folder, "log"), "--ferry-trace", trace, "--ferry-statistics", statistics])
        problems = endProblems(result, options) + ([] if result.status == 0 else [f"status {result.status}"])
        if not problems:
            with open(trace, encoding="utf-8") as file:
                whole = json.load(file)
            with open(statistics, encoding="utf-8") as file:
                problems += statisticsProblems(json.load(file), options.ranks - 1)
            about = whole["otherData"]["ranks"]
            if [rank["rank"] for rank in about] != list(range(options.ranks)) or any(rank["dropped"] for rank in about):
                problems.append(f"not all ranks are whole: {about}")
            errorsUs = [rank["clockErrorMicroseconds"] for rank in about]
            problems += sliceProblems(whole["traceEvents"], options.ranks) + arrowProblems(whole["traceEvents"], errorsUs)
    if problems:
        showFailure("the traced job", result, problems[:10])
        return 1
    print(f"{len(whole['traceEvents'])} events of {options.ranks} ranks; clocks are known to {max(errorsUs):.1f} us")
    return 0


if __name__ == "__main__":
    sys.exit(main())
