#!/usr/bin/env python3
"""tools/otherMachines: its names, wrong calls, and machines that lack a compiler."""
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "otherMachines")


def run(*arguments, **more):
    return subprocess.run([sys.executable, "-B", PROGRAM, *arguments], capture_output=True, text=True, check=False, **more)


class OtherMachines(unittest.TestCase):
    def test_the_names_are_listed(self):
        names = run("--list").stdout.split()
        self.assertIn("s390x", names)
        self.assertEqual(len(names), len(set(names)))

    def test_an_unknown_name_is_refused(self):
        done = run("z80")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no z80", done.stderr)

    def test_a_machine_without_its_compiler_is_told_and_fails_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("--build", folder, "s390x", env={"PATH": folder})
        self.assertEqual(done.returncode, 0)
        self.assertIn("not tried: there is no s390x-linux-gnu-g++", done.stdout)


if __name__ == "__main__":
    unittest.main()
