#!/usr/bin/env python3
"""Jobs whose slaves die: who, where and how is decided by a seed. Every task must have its one result, and the job must end with status 0.

The program is started by ferryrun under the MPI at hand.
"""
import argparse
import datetime
import os
import random
import re
import statistics
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "acceptance"))
from launchedJob import addJobOptions, endProblems, parseJobOptions, runJob, showFailure

TASKS = 300
TASK_US = 1000
HOWS = ["kill", "kill", "kill", "spoil", "crash", "exit0", "exit3", "stop"]
LOSS = re.compile(r"^(\S+ \S+) \[rank 0\] \[warning\] rank (\d+) (.*): the job goes on without it")
LOST_RANK = 6
TEAM_GRACE = ["--ferry-team-grace", "1"]


class Schedule:
    """One job: the fate of its ranks, and the expected results."""
    def __init__(self, name, doom, arguments=None, status=0, output=None, errors=(), restarts=3, unsaid=()):
        self.name = name
        self.doom = doom
        self.arguments = arguments or [str(TASKS), str(TASK_US)]
        self.status = status
        self.output = [f"done {TASKS}"] if output is None else output
        self.errors = errors    # texts that the error output must contain
        self.restarts = restarts
        self.unsaid = unsaid    # texts that the error output must not contain


def randomDoom(chance, rank, how):
    point = chance.choice(["begin", "task", "task", "reply", "time", "time"])
    if how == "spoil" and point in ("begin", "time"):    # an exception that leaves a handler
        point = "task"
    count = {"begin": 1, "task": chance.randint(1, 40), "reply": chance.randint(1, 40), "time": chance.randint(0, 150)}[point]
    return f"{rank}:{point}:{count}:{how}"


def randomSchedule(seed, ranks, areGrouped, ofMaps):
    """Dooms from one slave to all but one. The remaining slave is never a sub-master, since a sub-master does no tasks."""
    chance = random.Random(seed)
    others = range(1, ranks - 1) if areGrouped else range(1, ranks)
    doomed = chance.sample(others, chance.randint(1, ranks - 2)) if ranks > 2 else []
    dooms = ",".join(randomDoom(chance, rank, chance.choice(HOWS)) for rank in doomed)
    if ofMaps:
        return Schedule(f"maps, seed {seed}", dooms, ["maps", "100", "500"], output=["done 310"])
    return Schedule(f"seed {seed}", dooms)


def randomTeams(seed, ranks):
    """Teams of two to four slaves that solve equations. A death in the solver can cost the whole team, and one slave must be left."""
    chance = random.Random(seed)
    size = chance.randint(2, 4)
    doomed = chance.sample(range(1, ranks), chance.randint(1, (ranks - 2) // size))
    dooms = []
    for rank in doomed:
        point = chance.choice(["task", "reply", "time", "time", "time"])
        count = chance.randint(1, 12) if point != "time" else chance.randint(0, 700)
        dooms.append(f"{rank}:{point}:{count}:{chance.choice(HOWS)}")
    return Schedule(f"teams of {size}, seed {seed}", ",".join(dooms), ["60", str(size), "300", *TEAM_GRACE], output=["done 60"])


def fixedSchedules(ranks):
    last = ranks - 1
    everybody = ",".join(f"{rank}:task:2:kill" for rank in range(1, ranks))
    return {
        "none": Schedule("none", ""),
        "kill": Schedule("kill", f"{last}:task:5:kill", errors=[f"rank {last} was killed or has crashed"]),
        "killIdle": Schedule("killIdle", ",".join(f"{rank}:time:{30 * rank}:kill" for rank in range(2, ranks)), ["2000", "1000", "idle"],
                             output=["done 2000"]),
        "stop": Schedule("stop", f"{last}:task:5:stop", ["1000", "3000"], output=["done 1000"],
                         errors=[f"rank {last} has given no sign of life", "it is stopped"]),
        "exit": Schedule("exit", f"{last}:task:5:exit3", errors=[f"rank {last} was killed or has crashed"]),
        "threadExit": Schedule("threadExit", f"{last}:task:5:threadExit9", status=9, output=[], errors=[
            f"exit(9) was called on rank {last} by a thread of its own", f"rank {last} has ended: exit() was called by a thread"],
            unsaid=["the job goes on without it", "is started again"]),
        "spoil": Schedule("spoil", f"{last}:task:5:spoil,{last - 1}:reply:3:spoil", errors=[
            f"rank {last} was killed or has crashed", f"rank {last - 1} was killed or has crashed", "goes to another slave: the device is lost"]),
        "allButOne": Schedule("allButOne", ",".join(f"{rank}:task:{rank}:kill" for rank in range(2, ranks))),
        "all": Schedule("all", everybody, status=LOST_RANK, output=[], errors=["NoSlavesLeft", "no slave is left"], restarts=0),
        "masterOnce": Schedule("masterOnce", "0:time:100:kill:once", errors=["the master is lost: rank 0", "is started again (restart 1 of"]),
        "master": Schedule("master", "0:time:100:kill", ["5000", "2000"], status=LOST_RANK, output=[], errors=["the master is lost: rank 0"],
                           restarts=0),
        "subMasters": Schedule("subMasters", "1:time:60:kill,5:time:120:kill,7:task:3:kill", ["1000", "1000"], output=["done 1000"],
                               errors=["rank 1 was killed or has crashed", "rank 5 was killed or has crashed"]),
        "maps": Schedule("maps", "1:time:60:kill,5:time:120:kill,7:task:3:kill", ["maps", "400", "500"], output=["bundled", "done 1240"],
                         errors=["rank 1 was killed or has crashed", "rank 5 was killed or has crashed"]),
        "teamLeft": Schedule("teamLeft", "", ["left", *TEAM_GRACE], output=["done 1"],
                             errors=["has not left its team within 1 s after the loss of rank", "was given up by the others"]),
        "poison": Schedule("poison", "", ["poison", "50"], output=["met 3 slaves", "done 50"]),
        "everyRank": Schedule("everyRank", f"{last}:begin:1:kill", ["everyRank"], status=LOST_RANK, output=[],
                              errors=["LostRank", f"rank {last} was killed or has crashed"], restarts=0),
    }


class Campaign:
    def __init__(self, options):
        self.options = options
        self.delaysMs = {"kill": [], "stop": []}
        self.lossCount = self.jobCount = self.stuckCount = 0

    def noteDelays(self, result, folder):
        """Returns, for each lost slave, the time from its end to the master's report of the loss."""
        for line in result.errors():
            self.stuckCount += "has not left its team within" in line
            if not (found := LOSS.match(line)):
                continue
            self.lossCount += 1
            path = os.path.join(folder, found.group(2))
            if not os.path.exists(path):
                continue
            said = datetime.datetime.strptime(found.group(1), "%Y-%m-%d %H:%M:%S.%f").timestamp()
            with open(path, encoding="ascii") as file:
                how, endedUs = file.read().split()
            if how in self.delaysMs:
                self.delaysMs[how].append(1000 * said - int(endedUs) / 1000)

    def problemsOf(self, schedule, result):
        problems = endProblems(result, self.options)
        if result.status != schedule.status:
            problems.append(f"expected status {schedule.status}")
        said = [line for line in result.output() if line in schedule.output or line.startswith("task ") and "results" in line]
        if said != schedule.output:
            problems.append(f"expected {schedule.output} on standard output, found {said}")
        everything = "\n".join(result.errors())
        problems += [f"nothing says '{text}'" for text in schedule.errors if text not in everything]
        problems += [f"a line says '{text}'" for text in schedule.unsaid if text in everything]
        return problems

    def run(self, schedule):
        with tempfile.TemporaryDirectory() as folder:
            variables = {"FERRY_TEST_DOOM": schedule.doom, "FERRY_TEST_TIMES": folder, "FERRY_RESTARTS": str(schedule.restarts)}
            result = runJob(self.options, schedule.arguments + self.groupArguments(), variables=variables)
            self.noteDelays(result, folder)
        self.jobCount += 1
        if problems := self.problemsOf(schedule, result):
            showFailure(f"{schedule.name} (FERRY_TEST_DOOM={schedule.doom})", result, problems)
            return False
        return True

    def groupArguments(self):
        return ["--ferry-group-size", str(self.options.group_size)] if self.options.group_size else []

    def summary(self):
        texts = [f"{self.jobCount} jobs of {self.options.ranks} ranks, {self.lossCount} slaves lost"]
        if self.stuckCount:
            texts.append(f"{self.stuckCount} slaves were stuck in MPI and given up")
        for how, delays in self.delaysMs.items():
            if delays:
                delays.sort()
                texts.append(f"{len(delays)} times '{how}' was noticed after {statistics.median(delays):.1f} ms (median), "
                             f"{delays[min(len(delays) - 1, len(delays) * 99 // 100)]:.1f} ms (99 of 100), {delays[-1]:.1f} ms at most")
        return "; ".join(texts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    addJobOptions(parser)
    parser.add_argument("--schedules", type=int, default=0, help="number of random schedules")
    parser.add_argument("--group-size", type=int, default=0, help="slaves of a sub-master; 0: none are")
    parser.add_argument("--maps", action="store_true", help="the random schedules are jobs with several maps")
    parser.add_argument("--teams", action="store_true", help="the random schedules are jobs of teamLosses")
    parser.add_argument("--seed", type=int, default=1, help="of the first of them")
    parser.add_argument("--way", nargs="*", default=[], help="fixed schedules: " + ", ".join(fixedSchedules(8)))
    options = parseJobOptions(parser)
    campaign = Campaign(options)
    fixed = fixedSchedules(options.ranks)
    schedules = [fixed[name] for name in options.way for _ in range(options.repeat)]
    for seed in range(options.seed, options.seed + options.schedules):
        schedules.append(randomTeams(seed, options.ranks) if options.teams else
                         randomSchedule(seed, options.ranks, options.group_size > 0, options.maps))
    failures = sum(not campaign.run(schedule) for schedule in schedules)
    print(campaign.summary())
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
