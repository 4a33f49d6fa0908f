#!/usr/bin/env python3
"""tools/campaigns with planted programs: findings have the command that repeats them, and the next run goes on with the next seed."""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "tools", "campaigns")

# Stands for ferrySwarm: notes the seeds, and has a finding for seed 1000001 when told so.
SWARM = """#!/bin/sh
for argument; do case "$argument" in --first=*) first="${argument#--first=}";; --note=*) note="${argument#--note=}";; esac; done
echo "$first" >> "$(dirname "$0")/began"
echo $((first + 5)) > "$note"
if [ -e "$(dirname "$0")/harm" ]; then
    printf 'finding: seed 1000001: a reply is wrong\\n    ferrySwarm --seed=1000001\\nTEST_CASE("x") {\\n}\\n'
    exit 1
fi
if [ -e "$(dirname "$0")/crash" ]; then kill -SEGV $$; fi
exit 0
"""


class CampaignsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.bin = os.path.join(self.folder.name, "build", "bin")
        os.makedirs(self.bin)
        path = os.path.join(self.bin, "ferrySwarm")
        with open(path, "w", encoding="utf-8") as file:
            file.write(SWARM)
        os.chmod(path, 0o755)

    def tearDown(self):
        self.folder.cleanup()

    def run_(self, *more):
        command = [sys.executable, "-B", TOOL, "0.05", "--build", os.path.dirname(self.bin), "--state",
                   os.path.join(self.folder.name, "state", "seeds.json"), "--only", "swarm", *more]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def plant(self, name):
        open(os.path.join(self.bin, name), "w", encoding="utf-8").close()

    def testSecondRunGoesOn(self):
        self.assertEqual(self.run_().returncode, 0)
        second = self.run_()
        self.assertEqual(second.returncode, 0)
        with open(os.path.join(self.bin, "began"), encoding="utf-8") as file:
            self.assertEqual(file.read().split(), ["1000000", "1000005"])
        self.assertIn("seeds 1000005 to 1000009", second.stdout)
        self.assertIn("all runs so far: 10 executions", second.stdout)

    def testFindingHasItsCommandAndTest(self):
        self.plant("harm")
        ended = self.run_()
        self.assertEqual(ended.returncode, 1)
        self.assertIn(f"{self.bin}/ferrySwarm --seed=1000001", ended.stdout)
        self.assertIn('TEST_CASE("x")', ended.stdout)

    def testCrashNamesItsSeed(self):
        self.plant("crash")
        ended = self.run_()
        self.assertEqual(ended.returncode, 1)
        self.assertIn("ferrySwarm --seed=1000005", ended.stdout)

    def testMissingProgramIsTold(self):
        os.remove(os.path.join(self.bin, "ferrySwarm"))
        ended = self.run_()
        self.assertEqual(ended.returncode, 0)
        self.assertIn("not run: ferrySwarm is not built", ended.stdout)

    def entries(self, *more):
        """Runs the campaign of endings with the entries of a build folder that is written by hand."""
        folder = os.path.dirname(self.bin)
        with open(os.path.join(folder, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
            for name, program in (("endings.one", "/bin/true"), ("endings.long", "/bin/sleep;60"), ("endings.gone", f"{self.bin}/gone")):
                file.write(f'add_test({name} "{program.replace(";", chr(34) + " " + chr(34))}")\n')
        command = [sys.executable, "-B", TOOL, "0.1", "--build", folder, "--state", os.path.join(self.folder.name, "state", "seeds.json"),
                   "--only", "endings", *more]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def testEntriesWithoutTheirProgramAreNoFindings(self):
        ended = self.entries()
        self.assertEqual(ended.returncode, 0, ended.stdout)
        self.assertIn("1 of 2 entries, 1 others are not built, endings.long cut short", ended.stdout)

    def testEntryThatNeedsMoreThanAllOfTheTimeIsPassedOver(self):
        self.entries()
        second = self.entries()
        self.assertIn("0 of 2 entries, 1 others are not built, endings.long cut short after", second.stdout)
        self.assertIn("1 of 2 entries", self.entries().stdout)    # begins with the other one

    def testBadWords(self):
        for arguments in (["0"], ["-3"], ["5", "--only", "nothing"], []):
            ended = subprocess.run([sys.executable, "-B", TOOL, *arguments], capture_output=True, text=True, check=False)
            self.assertEqual(ended.returncode, 2, arguments)


if __name__ == "__main__":
    unittest.main()
