#!/usr/bin/env python3
"""Jobs whose slaves become more and fewer while they run: as threads, as processes that ferryrun has started, and where that is refused."""
import argparse
import os
import socket
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "acceptance"))
from launchedJob import addJobOptions, endProblems, parseJobOptions, processesOf, runJob, showFailure

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
        "refused": Way(["refused"], ["no slave can join this job: ferry run has not started it (processes can join where it has, with Open MPI 4)", "done"]),
    }
    for change in ("left", "joined"):
        found[f"stuck.{change}"] = Way(["stuck", change], ["a deadlock was found"])
    found["stuck.lost"] = Way(["stuck", "lost"], ["two were lost, one has come", "a deadlock was found"])
    found["stillborn"] = Way(["stillborn"], [], [f"rank {slaves + 1} did not connect to the watch within 20000 ms"], LOST_RANK)
    for seed in range(options.seed, options.seed + options.schedules):
        found[f"seed {seed}"] = Way(["steps", str(ROUNDS), str(seed)], None)
    return found


class Flood(threading.Thread):
    """Strangers at each port where a rank of the job listens: connections that say nothing, half a hello, bytes without a meaning, and connections
    that are closed at once. Works between entering and leaving it."""
    HELD_AT_A_TIME = 200
    WORDS = (b"", b"half", os.urandom(4096), None)    # None: the connection is closed at once

    def __init__(self, program, mark):
        super().__init__(daemon=True)
        self.program, self.mark = program, mark
        self.isOver = threading.Event()
        self.held = []
        self.count = 0

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *failure):
        self.isOver.set()
        self.join()
        for connection in self.held:
            connection.close()

    def run(self):
        while not self.isOver.wait(0.001):
            for address in self.addresses():
                self.disturb(address)

    def disturb(self, address):
        for words in self.WORDS:
            try:
                connection = socket.create_connection(address, timeout=1)
                self.count += 1
                if words is None:
                    connection.close()
                    continue
                connection.setblocking(False)
                connection.send(words)
                self.held.append(connection)
            except OSError:
                pass
        while len(self.held) > self.HELD_AT_A_TIME:
            self.held.pop(0).close()

    def addresses(self):
        """The ports at which processes of the program listen, without those of MPI."""
        inodes = set()
        for process in processesOf(self.mark):
            try:
                if os.readlink(f"/proc/{process}/exe") != os.path.realpath(self.program):
                    continue
                for name in os.listdir(f"/proc/{process}/fd"):
                    link = os.readlink(f"/proc/{process}/fd/{name}")
                    if link.startswith("socket:["):
                        inodes.add(link[len("socket:["):-1])
            except OSError:
                continue
        with open("/proc/net/tcp", encoding="ascii") as table:
            rows = [line.split() for line in table.readlines()[1:]]
        return [("127.0.0.1", int(row[1].split(":")[1], 16)) for row in rows if row[3] == "0A" and row[9] in inodes and self.isOfFerry(row)]

    @staticmethod
    def isOfFerry(row):
        """On one host Ferry listens on the loopback alone, and MPI on all interfaces."""
        return row[1].startswith("0100007F:")


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
    parser.add_argument("--flood", action="store_true", help="strangers connect to the ports of the job all the time")
    options = parseJobOptions(parser)
    known = ways(options)
    floods = []

    def flood(_, mark):
        floods.append(Flood(options.program, mark))
        return floods[-1]

    failures = 0
    for name in [name for name in known if name in options.way or name.startswith("seed ")]:
        for _ in range(options.repeat):
            result = runJob(options, known[name].arguments, variables={"FERRY_RESTARTS": "0"}, watcher=flood if options.flood else None)
            if problems := problemsOf(known[name], result, options):
                showFailure(name, result, problems)
                failures += 1
    if options.flood:
        print(f"{sum(one.count for one in floods)} strangers came")
        failures += 0 if any(one.count for one in floods) else 1    # a flood that finds no port tests nothing
    print(f"{failures} of the jobs failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
