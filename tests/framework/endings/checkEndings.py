#!/usr/bin/env python3
"""Runs endings.cpp once for each way to end, and checks what waysToEnd.py says about it.

A run that does not end within the time-out is a hang: its stacks are shown, all its processes are killed, and it counts as failed.
"""
import argparse
import json
import os
import re
import signal
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "acceptance"))
from expectations import withoutLauncherNotes
from launchedJob import GRACE, addJobOptions, endProblems, parseJobOptions, processesOf, runJob, showFailure

from waysToEnd import WAYS

MAX_SHOWN_FAILURES = 5
ORDERLY_END_S = "50"    # time limit for the end of a job that can end in order, on a busy machine too
STOPPED = "ferry: the job was stopped"
# Messages of Open MPI itself outside its framed notes, when ranks die or mpirun is told to stop.
LAUNCHER_NOISE = re.compile(r"^\[[^\]]*\]|^mpirun|^Abort is in progress|^hit ctrl-c|^$")


def parseArguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    addJobOptions(parser)
    parser.add_argument("--group", nargs="*", help="only the ways of these groups")
    parser.add_argument("--way", nargs="*", help="only these ways")
    parser.add_argument("--sanitized", action="store_true", help="the program is built with a sanitizer, which has a status of its own for deaths")
    arguments = parseJobOptions(parser)
    arguments.ways = [way for way in WAYS if (not arguments.group or way.group in arguments.group) and (not arguments.way or way.name in arguments.way)
                      and (way.group != "ferryrun" or os.path.basename(arguments.mpiexec) == "ferryrun") and arguments.launcher in way.launchers and arguments.ranks >= way.minRanks
                      and not (way.forks and arguments.sanitized and arguments.launcher == "threads")]
    if not arguments.ways and arguments.way:
        parser.error("no such way for these ranks")
    return arguments


class Signaller(threading.Thread):
    """Sends the signals of a way as soon as every rank has reported that it is ready. Works between entering and leaving it."""
    def __init__(self, way, arguments, result, mark):
        super().__init__(daemon=True)
        self.way, self.arguments, self.result, self.mark = way, arguments, result, mark
        self.isOver = False

    def __enter__(self):
        self.start()

    def __exit__(self, *failure):
        self.isOver = True
        self.join()

    def run(self):
        ready = {}
        while len(ready) < self.arguments.ranks and not self.isOver:
            ready = {int(line[1]): int(line[2]) for line in (text.split() for text in self.result.output()) if line and line[0] == "ready"}
            time.sleep(0.01)
        targets = {"Master": ready.get(0), "Slave": ready.get(self.arguments.ranks - 1), "Launcher": None if self.isOver else self.launcher()}
        targets["Group"] = targets["Launcher"] and -targets["Launcher"]    # the launcher leads its session
        for target, name, times in self.way.signals:
            for count in range(times):
                if count > 0 and not self.way.sameWish:
                    time.sleep(0.5)    # longer than the time in which two signals count as one
                if targets[target] and not self.isOver:
                    os.kill(targets[target], getattr(signal, "SIG" + name))

    def launcher(self):
        for process in processesOf(self.mark):
            with open(f"/proc/{process}/cmdline", "rb") as file:
                words = [os.path.basename(word.decode()) for word in file.read().split(b"\0")[:3]]
                isScript = words[0].startswith("python")
                if os.path.basename(self.arguments.mpiexec) in (words if isScript else words[:1]):
                    return process
        return None


def runWay(way, arguments, record):
    variables = {"FERRY_TEST_STRANGER": str(arguments.ranks - 1)} if way.stranger else {}
    if any(target == "Launcher" for target, _, _ in way.signals):
        variables[GRACE] = "1"    # the ranks end in order on the launcher's SIGTERM, which takes time
    signaller = (lambda result, mark: Signaller(way, arguments, result, mark)) if way.signals else None
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        linesPath = os.path.join(folder, "lines")
        variables["FERRY_TEST_LINES"] = linesPath
        grace = [] if way.isForced else ["--ferry-grace", ORDERLY_END_S]
        result = runJob(arguments, [way.program, *way.arguments, *grace, "--ferry-report", path], recordRanks=record, variables=variables, watcher=signaller)
        result.report = readReport(path)
        result.linesOfRanks = readLines(linesPath)
    return result


def readLines(path):
    """The lines that the ranks have printed, also those that the launcher has lost."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def readReport(path):
    """Returns the report of --ferry-report; None when there is none; the error text when it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None
    except ValueError as error:
        return str(error)


def reportFileProblems(way, result):
    report = result.report
    if report is None:
        return ["--ferry-report has written nothing"] if way.stopped or way.group == "status" or way.stranger else []
    if isinstance(report, str):
        return [f"--ferry-report has written no JSON: {report}"]
    if not way.stopped and not way.stranger:
        return ["--ferry-report has written status 0"] if report["status"] == 0 and result.status != 0 and "BeforeRun" in way.name else []
    problems = [] if report["status"] == way.status else [f"--ferry-report has written status {report['status']} instead of {way.status}"]
    if not report["failures"] or "origin" not in report["failures"][0]:
        problems.append("--ferry-report has written no failure")
    return problems + ([] if (report["endedByForce"] is not None) == (way.isForced) else ["--ferry-report is wrong about an end by force"])


def statusProblems(way, result, arguments):
    expected = way.threadsStatus if arguments.launcher == "threads" else way.status
    if result.rankStatuses is not None:
        statuses = [result.rankStatuses.get(rank) for rank in range(arguments.ranks)]
        return [] if statuses == [expected] * arguments.ranks else [f"exit statuses of the ranks {statuses} instead of {expected} on all"]
    if expected is None or (arguments.sanitized and way.group == "death"):
        return [] if result.status != 0 else ["exit status 0 instead of a failure"]
    return [] if result.status == expected else [f"exit status {result.status} instead of {expected}"]


def reportProblems(way, result, arguments):
    lines = withoutLauncherNotes(result.errors())
    text = "\n".join(lines)
    if way.report is None:
        lines = [line for line in lines if not LAUNCHER_NOISE.match(line)]
        return [f"standard error is not empty: {lines[0]!r}"] if lines else []
    problems = ["a sanitizer has found something"] if way.group != "death" and re.search(r"\w+Sanitizer:|runtime error:", text) else []
    pattern = way.report.replace("{last}", str(arguments.ranks - 1 if result.last is None else result.last))
    if not re.search(pattern, text):
        problems.append(f"standard error lacks {pattern!r}")
    reports = text.count(STOPPED)
    if way.report and reports != (1 if way.stopped else 0):
        problems.append(f"{reports} reports of a stopped job")
    if not way.stopped and way.report and len(re.findall(pattern, text)) != 1:
        problems.append("not exactly one line that says it")
    return problems


def unwoundProblems(way, result, arguments):
    last = arguments.ranks - 1
    wanted = set()
    for who in way.unwound:
        if who == "master":
            wanted.add("master 0 unwound")
        elif who in ("slaves", "otherSlaves"):
            wanted |= {f"slave {rank} unwound" for rank in range(1, arguments.ranks) if who == "slaves" or rank != last}
        elif who == "handlers":
            wanted.add(f"handler {last} unwound")
        else:
            wanted |= {f"rank {rank} unwound" for rank in range(arguments.ranks) if who == "ranks" or rank != last}
    lines = result.linesOfRanks
    problems = [f"missing: {line}" for line in sorted(wanted - set(lines))]
    if "not reached" in lines:
        problems.append("the place that cannot be reached was reached")
    twice = [line for line in set(lines) if line.startswith(("slave ", "master ", "rank ")) and lines.count(line) > 1]
    return problems + [f"twice: {line}" for line in twice]


def problemsOf(way, result, arguments):
    problems = []
    if not result.hung:
        problems = statusProblems(way, result, arguments) + reportProblems(way, result, arguments) + unwoundProblems(way, result, arguments)
        problems += reportFileProblems(way, result)
    return problems + endProblems(result, arguments)


def recordsRanks(way, number):
    """Whether the status of each rank is looked at, with the launcher told to let the others live; with threads there is one status only.

    In every second round, and in the first one for one way of each group, the launcher ends the job as it does for a user.
    """
    isSample = way is next((one for one in WAYS if one.group == way.group and one.rankStatuses and one.status != 0), None)
    return way.rankStatuses and number % 2 == 0 and not isSample


def main():
    arguments = parseArguments()
    failures, runs, slowest = 0, 0, ("", 0.0)
    for number in range(arguments.repeat):
        for way in arguments.ways:
            result = runWay(way, arguments, recordsRanks(way, number))
            result.last = 0 if arguments.launcher == "threads" and way.program.startswith("mainThrows") else None
            runs += 1
            if result.seconds > slowest[1]:
                slowest = (way.name, result.seconds)
            problems = problemsOf(way, result, arguments)
            if problems:
                failures += 1
                showFailure(way.name, result, problems)
                if failures == MAX_SHOWN_FAILURES:
                    print("too many failures")
                    return 1
    print(f"{arguments.launcher}, {arguments.ranks} ranks: {len(arguments.ways)} ways, {runs} runs, {failures} failed, "
          f"slowest {slowest[0]} with {slowest[1]:.2f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
