#!/usr/bin/env python3
"""Runs the job script of examples/slurm under a Slurm of two nodes: jobs that are done, lose a slave, are cancelled, and lose a node.

usage: slurmTest.py PROGRAMS [options of unittest]      the folder with the programs losses and journaled

Where there is no Slurm, or no network namespaces, it says so and ends with status 77.
"""
import collections
import glob
import json
import os
import sys
import tempfile
import time
import unittest

import networkHosts
import slurmCluster

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SCRIPT = os.path.join(ROOT, "examples", "slurm", "job.sh")
SKIPPED = 77
END_S = 120
# Replies go to a file. During the end of a job, mpirun stops reading output, and a blocked write would delay the master.
QUIET = '#!/bin/sh\nexec "$0.program" "$@" >"$SLURM_SUBMIT_DIR/replies.$OMPI_COMM_WORLD_RANK"\n'
STEPS = 20000           # a few seconds of work
BEGUN = 2000            # number of steps after which the job is disturbed
SLAVES = 7
HELD_BY_SLAVE = 2       # one task that runs, and the next one
TOLD_TO_END = 143
programs = ""


class SlurmTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="ferrySlurm")
        self.addCleanup(folder.cleanup)
        self.hosts = networkHosts.NetworkHosts(2)
        self.enterContext(self.hosts)
        self.cluster = slurmCluster.SlurmCluster(folder.name, self.hosts)
        self.enterContext(self.cluster)

    def submit(self, program, *arguments, **variables):
        path = os.path.join(ROOT, "tools") + os.pathsep + os.environ["PATH"]
        variables = {"PATH": path, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"} | variables
        return self.cluster.submit(SCRIPT, [program, *arguments], ["--nodes=1-2", "--ntasks=8"], variables)

    def output(self, job):
        with open(self.cluster.path(f"ferry-{job}.out"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def expectEnd(self, job, state, status):
        ended = self.cluster.awaitEnd(job, END_S)
        self.assertEqual(ended, (state, status), self.cluster.story())
        return self.output(job)

    def expectReport(self, job):
        """Requires that the report names the signal, and nothing else."""
        with open(self.cluster.path(f"ferry-{job}.report"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual((report["status"], len(report["failures"]), report["endedByForce"]), (TOLD_TO_END, 1, None), report)
        self.assertIn("SIGTERM", json.dumps(report["failures"][0]))

    def begun(self):
        try:
            with open(self.cluster.path("log"), encoding="ascii") as file:
                return [int(line) for line in file.read().splitlines()]
        except FileNotFoundError:
            return []

    def submitSteps(self):
        quiet = self.cluster.path("quiet")
        if not os.path.exists(quiet):
            os.symlink(os.path.join(programs, "journaled"), quiet + ".program")
            with open(quiet, "w", encoding="ascii") as file:
                file.write(QUIET)
            os.chmod(quiet, 0o755)
        return self.submit(quiet, str(STEPS), self.cluster.path("log"), FERRY_JOURNAL=self.cluster.path("journal"))

    def startSteps(self):
        """Submits a job, and waits until it has done some steps and still has many to do."""
        job = self.submitSteps()
        self.cluster.await_(lambda: len(self.begun()) >= BEGUN, "the job does not begin")
        return job

    def expectEachStepOnce(self, interruptions):
        """Checks the replies of the last run. Tasks that slaves had at the interruption may have been started again."""
        with open(self.cluster.path("replies.0"), encoding="ascii") as file:
            replies = collections.Counter(file.read().splitlines())
        self.assertEqual(replies, {f"{step} {step % 50}": 1 for step in range(STEPS)})
        self.assertLessEqual(len(self.begun()) - STEPS, interruptions * SLAVES * HELD_BY_SLAVE)

    def expectGoesOn(self):
        self.expectEnd(self.submitSteps(), "COMPLETED", "0:0")
        self.expectEachStepOnce(interruptions=1)

    def testAJobRunsOnAllNodesAndSurvivesSlavesOnEach(self):
        for doom, lost in (("", []), ("2:task:5:kill,6:task:5:kill", [2, 6])):
            job = self.submit(os.path.join(programs, "losses"), "300", "1000", FERRY_TEST_DOOM=doom)
            output = self.expectEnd(job, "COMPLETED", "0:0")
            self.assertEqual(self.cluster.told(job, "NumNodes"), "2")
            self.assertIn("done 300\n", output)
            for rank in lost:
                self.assertIn(f"rank {rank} was killed or has crashed", output)

    def testSlurmTakesTheOptionsOfEachJobScript(self):
        for script in sorted(glob.glob(os.path.join(os.path.dirname(SCRIPT), "*.sh"))):
            # The nodes of this test are small.
            self.cluster.submit(script, ["true"], ["--test-only", "--ntasks=2", "--mem-per-cpu=0"])

    def testAJobThatIsCancelledEndsAndGoesOnWhenSubmittedAgain(self):
        """Slurm tells mpirun and all ranks at the same time. So mpirun may end the master before the master has printed anything."""
        job = self.startSteps()
        begin = time.monotonic()
        self.cluster.ask("scancel", job)
        self.cluster.awaitEnd(job, END_S)
        self.assertEqual(self.cluster.told(job, "JobState"), "CANCELLED")
        print(f"cancelled: the job has ended after {time.monotonic() - begin:.1f} s")
        self.expectGoesOn()

    def testAJobThatIsToldToEndTellsTheSignalByItsStatus(self):
        job = self.startSteps()
        self.cluster.ask("scancel", "--batch", "--signal=TERM", job)
        output = self.expectEnd(job, "FAILED", f"{TOLD_TO_END}:0")
        self.assertEqual(output.count("the job was stopped, every rank exits with status 143"), 1, output[-2000:])
        self.expectReport(job)
        self.expectGoesOn()

    def testAJobThatLosesANodeIsStartedAgainAndGoesOn(self):
        for lost in (2, 1):
            with self.subTest(f"node {lost} of the job"):
                job = self.startSteps()
                self.hosts.setLink(lost, "down")
                self.hosts.killAll(lost)
                self.expectEnd(job, "COMPLETED", "0:0")
                self.expectEachStepOnce(interruptions=1)
                self.hosts.setLink(lost, "up")
                self.cluster.startNode(lost)
                for name in ("log", "journal"):
                    os.remove(self.cluster.path(name))
                self.cluster.ask("scontrol", "update", f"NodeName={self.hosts.name(lost)}", "State=RESUME")
                self.cluster.await_(lambda: self.cluster.idleNodes() == 2, "the node does not come back")


def main():
    global programs
    if len(sys.argv) < 2 or not os.path.isdir(sys.argv[1]):
        print(__doc__, file=sys.stderr)
        return 2
    programs = os.path.abspath(sys.argv.pop(1))
    if reason := slurmCluster.whyNotPossible() or networkHosts.whyNotPossible():
        print(f"NOT RUN: jobs under Slurm: {reason}")
        return SKIPPED
    return not unittest.main(exit=False).result.wasSuccessful()


if __name__ == "__main__":
    sys.exit(main())
