"""Checks the job scripts of examples/slurm: bash can read them, and they start their program by ferry run.

usage: jobScriptsTest.py SOURCES [options of unittest]

A script for Slurm begins with options behind #SBATCH. A Slurm of this machine takes these, where there is one (sbatch --test-only).
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sources = ""
FERRY = '#!/bin/sh\n[ "$1" = run ] && shift || exit 2\nfor word; do echo "$word"; done\n'


def scripts():
    found = sorted(glob.glob(os.path.join(sources, "examples", "slurm", "*.sh")))
    assert len(found) >= 4, found
    return found


def isSlurmThere():
    if shutil.which("sbatch") is None:
        return False
    return subprocess.run(["sinfo", "--noheader"], capture_output=True, timeout=60).returncode == 0


class JobScripts(unittest.TestCase):
    def testBashReadsThem(self):
        for script in scripts():
            done = subprocess.run(["bash", "-n", script], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), script)

    def testOptionsStandBeforeTheFirstCommand(self):
        """Slurm reads no option behind the first command."""
        for script in scripts():
            with open(script, encoding="utf-8") as file:
                lines = file.read().splitlines()
            command = next(number for number, line in enumerate(lines) if line and not line.startswith("#"))
            options = [number for number, line in enumerate(lines) if line.startswith("#SBATCH")]
            self.assertTrue(options and max(options) < command, script)
            self.assertIn("#SBATCH --signal=B:TERM@60", lines)

    def testTheyStartTheProgramByFerryRun(self):
        """Runs each script in the place of Slurm, with a ferry that prints its arguments."""
        with tempfile.TemporaryDirectory() as folder:
            ferry = os.path.join(folder, "ferry")
            with open(ferry, "w", encoding="ascii") as file:
                file.write(FERRY)
            os.chmod(ferry, 0o755)
            variables = os.environ | {"PATH": folder + os.pathsep + os.environ["PATH"], "SLURM_SUBMIT_DIR": folder, "SLURM_JOB_NAME": "name",
                                      "SLURM_JOB_ID": "4711", "SLURM_MEM_PER_CPU": "3000", "SLURM_CPUS_PER_TASK": "2"}
            for script in scripts():
                done = subprocess.run(["bash", script, "./program", "two words"], env=variables, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), script)
                words = done.stdout.splitlines()
                self.assertEqual(words[:2], ["./program", "two words"], script)
                self.assertIn("--ferry-report", words)
                self.assertIn(os.path.join(folder, "name-4711.report"), words)
                if os.path.basename(script) == "mapReduce.sh":
                    self.assertEqual(words[words.index("--ferry-keep-memory") + 1], "1500")

    def testSlurmTakesTheirOptions(self):
        if not isSlurmThere():
            self.skipTest("there is no Slurm on this machine")
        for script in scripts():
            done = subprocess.run(["sbatch", "--test-only", "--ntasks=1", script, "true"], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, f"{script}: {done.stderr}")


if __name__ == "__main__":
    sources = os.path.abspath(sys.argv.pop(1))
    unittest.main()
