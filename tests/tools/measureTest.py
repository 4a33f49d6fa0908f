#!/usr/bin/env python3
"""benchmarks/measure with planted programs: outputs are kept, the page gets its tables, missed goals and missing outputs are told."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

STRUCTS = """2 ranks, allGather of structs of 32 bytes, times MPI_Allgather

| structs | MPI_Allgather, us | aggregate | constructor |
|---|---|---|---|
| 1 | 0.40 | 1.10 | 1.30 |
"""
PAGE = """# Benchmarks

<!-- measured: machine -->
<!-- end -->

## Structs

<!-- measured: structs -->
stale
<!-- end -->

Text that stays.
"""


class MeasureTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        shutil.copytree(ROOT / "benchmarks", self.root / "benchmarks")
        (self.root / "docs").mkdir()
        self.page = self.root / "docs" / "benchmarks.md"
        self.page.write_text(PAGE, encoding="utf-8")
        self.build = self.root / "build" / "release"
        (self.build / "bin").mkdir(parents=True)

    def tearDown(self):
        self.folder.cleanup()

    def plant(self, name, script):
        path = self.build / "bin" / name
        path.write_text(f"#!/bin/sh\n{script}", encoding="utf-8")
        path.chmod(0o755)

    def measure(self, *arguments):
        return subprocess.run([sys.executable, "-B", str(self.root / "benchmarks" / "measure"), *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=300, check=False)

    def keep(self, name, text, day="2026-11-28"):
        folder = self.build / "measured"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.txt").write_text(f"{day}\tAMD EPYC\t2 cores\tload 0.3\n{text}", encoding="utf-8")

    def test_an_output_is_kept_behind_its_day(self):
        self.plant("benchFiles", "echo a report >&2\necho measured in \"$1\"\n")
        done = self.measure("--only", "files")
        self.assertEqual(done.returncode, 0, done.stdout)
        head, text = (self.build / "measured" / "files.txt").read_text(encoding="utf-8").split("\n", 1)
        self.assertRegex(head, r"^\d{4}-\d\d-\d\d\t.*\t\d+ cores\tload \d")
        self.assertEqual(text, f"measured in {self.build / 'measured'}\n")

    def test_a_program_that_fails_leaves_no_output(self):
        self.plant("benchFiles", "echo '| half | a table |'\nexit 3\n")
        done = self.measure("--only", "files")
        self.assertEqual(done.returncode, 1)
        self.assertIn("files has ended with status 3", done.stdout)
        self.assertIn("without a result: files", done.stdout)
        self.assertFalse((self.build / "measured" / "files.txt").exists())

    def test_a_program_that_is_not_built_is_told(self):
        done = self.measure("--only", "files")
        self.assertEqual(done.returncode, 1)
        self.assertIn("benchFiles", done.stdout)

    def test_an_unknown_name_is_told(self):
        done = self.measure("--only", "fils")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no program has the name fils", done.stdout)

    def test_the_page_gets_its_tables_and_keeps_its_text(self):
        self.keep("structs", STRUCTS)
        done = self.measure("--write")
        self.assertEqual(done.returncode, 0, done.stdout)
        page = self.page.read_text(encoding="utf-8")
        self.assertIn("| 1 | 0.40 | 1.10 (1.2) | 1.30 (**missed**: 1.2) |", page)
        self.assertIn("Measured by `benchmarks/measure`: 28 November 2026, AMD EPYC, 2 cores, load before each program 0.3 to 0.3.", page)
        self.assertIn("Text that stays.", page)
        self.assertNotIn("stale", page)
        self.assertEqual(self.measure("--write").returncode, 0)
        self.assertEqual(page, self.page.read_text(encoding="utf-8"))

    def test_a_missing_output_is_told_and_the_page_stays(self):
        done = self.measure("--write")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no output of structs", done.stdout)
        self.assertEqual(self.page.read_text(encoding="utf-8"), PAGE)

    def test_a_mark_of_no_table_is_told(self):
        self.page.write_text("<!-- measured: structures -->\n<!-- end -->\n", encoding="utf-8")
        done = self.measure("--write")
        self.assertEqual(done.returncode, 1)
        self.assertIn("a mark of no table: structures", done.stdout)

    def test_the_commands_are_listed(self):
        done = self.measure("--list", "--only", "messagesByLetters")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"messagesByLetters: FERRY_HOST_MEMORY=off mpirun -np 2 .*bin/benchConnector")

    def test_the_marks_of_the_page_are_known(self):
        shutil.copy(ROOT / "docs" / "benchmarks.md", self.page)
        self.assertNotIn("a mark of no table", self.measure("--write").stdout)


if __name__ == "__main__":
    unittest.main()
