#!/usr/bin/env python3
"""The manual pages: one for each program and command, with the text that the program prints."""
import gzip
import os
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools")


class ManPages(unittest.TestCase):
    def test_each_program_has_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-B", os.path.join(TOOLS, "manPages"), folder], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            pages = {name: gzip.open(os.path.join(folder, name), "rt", encoding="utf-8").read() for name in os.listdir(folder)}
        for program in ("ferry", "ferry-run", "ferry-file", "ferry-gen", "ferry-doctor", "ferry-new", "ferryrun", "ferryFile", "ferryProbe"):
            self.assertIn(f"{program}.1.gz", pages)
        self.assertIn("\\-\\-restarts COUNT", pages["ferry-run.1.gz"])
        self.assertNotIn("ferryrun", pages["ferry-run.1.gz"].partition(".SH SEE ALSO")[0])
        self.assertTrue(pages["ferryrun.1.gz"].startswith(".so man1/ferry-run.1"))
        for text in pages.values():
            self.assertTrue(text.startswith((".TH ", ".so ")))

    def test_a_wrong_call_is_refused(self):
        self.assertEqual(subprocess.run([sys.executable, "-B", os.path.join(TOOLS, "manPages")], capture_output=True, check=False).returncode, 2)


if __name__ == "__main__":
    unittest.main()
