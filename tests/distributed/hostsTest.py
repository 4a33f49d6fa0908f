#!/usr/bin/env python3
"""Jobs on two hosts, of which one is lost: seeded schedules say which, how and when. Each task must have its one result, and ferryrun must
end with status 0 by itself.

The hosts are network namespaces. Where there are none, it says so and ends with status 77.
"""
import argparse
import collections
import datetime
import os
import random
import re
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import Hung, Launch    # noqa: E402 (the path comes first)

import networkHosts    # noqa: E402

FERRYRUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "ferryrun")
SKIPPED = 77
STEPS = 3000              # more than a second of work
RANKS_OF_HOST = 3
SLAVES = 2 * RANKS_OF_HOST - 1
HELD_BY_SLAVE = 2         # one task that runs, and the next one
TIMEOUT_S = 150
LOSS = re.compile(r"^(\S+ \S+) \[rank 0\] \[warning\] rank (\d+) .*: the job goes on without it")

# The fate of the host with the slaves, step by step. "master": the fate of the host with the master, which has slaves too.
# A master that is only cut off goes on alone, and its output is lost.
WAYS = {
    "cut": ["down"],
    "dead": ["down", "kill"],
    "killed": ["kill"],
    "killedThenCut": ["kill", "down"],
    "masterDead": ["down", "kill"],
    "masterKilledThenCut": ["kill", "down"],
}


class Loss(threading.Thread):
    """Applies the schedule to a host: after a number of steps of the job, waits for a delay and does the deeds."""
    def __init__(self, hosts, host, deeds, log, steps, delayS):
        super().__init__(daemon=True)
        self.hosts, self.host, self.deeds, self.log, self.steps, self.delayS = hosts, host, deeds, log, steps, delayS
        self.isOver = threading.Event()
        self.time = None       # time of the first deed, in seconds since 1970

    def run(self):
        while len(stepsBegun(self.log)) < self.steps and not self.isOver.wait(0.002):
            pass
        if self.isOver.wait(self.delayS):
            return
        self.time = time.time()
        for deed in self.deeds:
            if deed == "kill":
                self.hosts.killAll(self.host)
            else:
                self.hosts.setLink(self.host, deed)


def stepsBegun(path):
    try:
        with open(path, encoding="ascii") as file:
            return [int(line) for line in file.read().splitlines()]
    except FileNotFoundError:
        return []


class Campaign:
    def __init__(self, options):
        self.options = options
        self.seconds = []
        self.delaysMs = []      # milliseconds until the master gave up slaves that were cut off
        self.restarts = self.doneTwice = 0

    def command(self, hosts, folder):
        hosts.writeAgent(os.path.join(folder, "agent"))
        network = f"{hosts.network}.0/24"
        settings = {"plm_rsh_agent": os.path.join(folder, "agent"), "oob_tcp_if_include": network, "btl_tcp_if_include": network}
        places = ",".join(f"{hosts.address(host)}:{RANKS_OF_HOST}" for host in hosts.all())
        return [FERRYRUN, "--launcher", self.options.mpiexec, "--linger", "2", "--marker-folder", folder,
                *[word for name, value in settings.items() for word in ("--mca", name, value)], "--host", places, "-np", str(2 * RANKS_OF_HOST),
                self.options.program, str(STEPS), os.path.join(folder, "log"), "--ferry-journal", os.path.join(folder, "journal")]

    def run(self, way, seed):
        """Runs one job. Returns its problems."""
        chance = random.Random(f"{way} {seed}")
        lost = 1 if way.startswith("master") else 2
        with tempfile.TemporaryDirectory(prefix="ferryHosts") as folder, networkHosts.NetworkHosts(2) as hosts:
            log = os.path.join(folder, "log")
            loss = Loss(hosts, lost, WAYS[way], log, chance.randint(1, STEPS // 2), chance.uniform(0, 0.05))
            begin = time.monotonic()
            job = Launch(self.command(hosts, folder), TIMEOUT_S)
            loss.start()
            try:
                done = job.finish()
                status, output, errors = done.returncode, done.stdout, done.stderr
            except Hung as hang:
                status, output, errors = None, "", str(hang)
            loss.isOver.set()
            loss.join()
            self.seconds.append(time.monotonic() - begin)
            problems = self.problemsOf(status, output, errors, stepsBegun(log), loss)
        if problems:
            print(f"{way}, seed {seed}: {'; '.join(problems)}\n  status {status}, {self.seconds[-1]:.1f} s\n{errors[-4000:]}")
        return problems

    def problemsOf(self, status, output, errors, begun, loss):
        if loss.time is None:
            return ["the job was over before the host was lost"]
        problems = [] if status == 0 else ["expected status 0"]
        restarts = errors.count("is started again")
        replies = collections.Counter(line for line in output.splitlines() if re.fullmatch(r"\d+ \d+", line))
        wanted = {f"{step} {step % 50}" for step in range(STEPS)}
        # A run that was cut off has printed replies before. The last line of that output may be incomplete.
        if not wanted <= set(replies) or restarts == 0 and replies != {line: 1 for line in wanted}:
            problems.append(f"expected one right reply to each of {STEPS} steps, found {len(replies)} different ones, {sum(replies.values())} in all")
        if len(begun) - STEPS > (1 + restarts) * SLAVES * HELD_BY_SLAVE:
            problems.append(f"{len(begun) - STEPS} steps were begun again")
        self.restarts += restarts
        self.doneTwice += len(begun) - STEPS
        if loss.deeds[0] == "down" and loss.host == 2:
            problems += self.delayProblems(errors, loss.time)
        return problems

    def delayProblems(self, errors, cutAt):
        """Requires that the master has given up each slave of the host."""
        found = {int(match.group(2)): match.group(1) for match in map(LOSS.match, errors.splitlines()) if match}
        self.delaysMs += [1000 * (datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S.%f").timestamp() - cutAt) for text in found.values()]
        return [] if set(found) == set(range(RANKS_OF_HOST, 2 * RANKS_OF_HOST)) else [f"expected the loss of ranks 3 to 5, found {sorted(found)}"]

    def summary(self):
        text = (f"{len(self.seconds)} jobs, {self.restarts} restarts, {self.doneTwice} of {len(self.seconds) * STEPS} steps were begun again; "
                f"from {min(self.seconds):.1f} s to {max(self.seconds):.1f} s a job")
        if self.delaysMs:
            text += f"; {len(self.delaysMs)} slaves that were cut off were given up after {min(self.delaysMs):.0f} to {max(self.delaysMs):.0f} ms"
        return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath, help="the built program journaled")
    parser.add_argument("--mpiexec", default="mpirun")
    parser.add_argument("--repeat", type=int, default=1, help="jobs of each way")
    parser.add_argument("--seed", type=int, default=1, help="of the first of them")
    parser.add_argument("--way", nargs="*", default=list(WAYS), choices=list(WAYS))
    options = parser.parse_args()
    if reason := networkHosts.whyNotPossible():
        print(f"NOT RUN: jobs on several hosts: {reason}")
        return SKIPPED
    campaign = Campaign(options)
    failures = sum(bool(campaign.run(way, options.seed + i)) for i in range(options.repeat) for way in options.way)
    print(campaign.summary())
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
