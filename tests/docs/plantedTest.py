#!/usr/bin/env python3
"""Plants a mistake in a copy of the pages, and sees that the checks of the pages find it.

usage: plantedTest.py ROOT
"""
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = ""
LEFT_OUT = shutil.ignore_patterns("build", ".git", "instances", "corpus", "__pycache__", "*.o")


class Planted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = os.path.join(cls.folder.name, "tree")
        shutil.copytree(ROOT, cls.root, ignore=LEFT_OUT, symlinks=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @contextlib.contextmanager
    def changed(self, path, pattern, replacement):
        """The copy with the first match of the pattern replaced."""
        place = os.path.join(self.root, path)
        with open(place, encoding="utf-8") as file:
            before = file.read()
        after = re.sub(pattern, replacement, before, count=1)
        self.assertNotEqual(before, after, f"{path} holds no {pattern}")
        with open(place, "w", encoding="utf-8") as file:
            file.write(after)
        try:
            yield
        finally:
            with open(place, "w", encoding="utf-8") as file:
                file.write(before)

    def check(self, *command):
        return subprocess.run([sys.executable, "-B", *command], capture_output=True, text=True, check=False)

    def links(self):
        return self.check(os.path.join(HERE, "linksTest.py"), self.root)

    def site(self):
        return self.check(os.path.join(self.root, "tools", "site"), "--check")

    def numbers(self):
        return self.check(os.path.join(HERE, "numbersTest.py"), self.root)

    def test_the_copy_is_good(self):
        for check in (self.links, self.site, self.numbers):
            done = check()
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_link_to_no_page_is_found(self):
        with self.changed("docs/guide.md", r"\]\(errors\.md\)", "](mistakes.md)"):
            for check in (self.links, self.site):
                done = check()
                self.assertEqual(done.returncode, 1)
                self.assertIn("mistakes.md", done.stdout)

    def test_a_link_to_no_heading_is_found(self):
        with self.changed("docs/clusters.md", r"\]\(errors\.md#[\w-]+\)", "](errors.md#no-such-heading)"):
            for check in (self.links, self.site):
                done = check()
                self.assertEqual(done.returncode, 1)
                self.assertIn("no-such-heading", done.stdout)

    def test_a_link_that_the_site_does_not_lead_on_is_found(self):
        with self.changed("README.md", r"\[Packages\]\(", "`ferry\nnew` [Packages]("):
            self.assertEqual(self.site().returncode, 0)
        with self.changed("README.md", r"\[Packages\]\(docs/packages\.md\)", "`[Packages](docs/packages.md)`"):
            self.assertIn("the link leads to a text of the tree", self.site().stdout)

    def test_a_section_without_a_place_on_the_site_is_found(self):
        with self.changed("tools/siteParts/contents.py", r'\("guide/graphs\.md".*\n', "\n"):
            self.assertIn("no page of the site holds this section", self.site().stdout)

    def test_a_text_without_a_place_on_the_site_is_found(self):
        with open(os.path.join(self.root, "docs", "lost.md"), "w", encoding="utf-8") as file:
            file.write("# Lost\n\nNobody finds this text.\n")
        try:
            self.assertIn("docs/lost.md: no page of the site holds this text", self.site().stdout)
        finally:
            os.remove(os.path.join(self.root, "docs", "lost.md"))

    def test_a_wrong_number_is_found(self):
        with self.changed("README.md", r"message of 4 bytes takes [\d.]+ times", "message of 4 bytes takes 1.1 times"):
            done = self.numbers()
            self.assertEqual(done.returncode, 1)
            self.assertIn("4 bytes takes 1.1", done.stdout)

    def test_a_wrong_default_is_found(self):
        with self.changed("docs/options.md", r"(--ferry-heartbeat.*\| )100 ", r"\g<1>200 "):
            self.assertIn("--ferry-heartbeat", self.numbers().stdout)

    def test_an_option_that_is_missing_is_found(self):
        with self.changed("docs/options.md", r"\| `--ferry-quiet`.*\n", ""):
            self.assertIn("the page lacks --ferry-quiet", self.numbers().stdout)

    def test_a_collective_without_a_row_is_found(self):
        with self.changed("docs/guide.md", r"\| `scatter` \| `ferry::ScatterOptions`.*\n", ""):
            done = self.numbers()
            self.assertEqual(done.returncode, 1)
            self.assertIn("options of collectives: the page lacks ScatterOptions", done.stdout)

    def test_a_field_that_is_missing_is_found(self):
        with self.changed("docs/guide.md", r"(`ferry::AllGatherOptions`: .*)`countsOut`, ", r"\1"):
            told = self.numbers().stdout
        for call in ("allGather", "gather", "allToAll"):    # two rows name those of allGather
            self.assertIn(f"options of collectives, {call}: the page lacks countsOut", told)

    def test_a_row_without_a_field_is_found(self):
        with self.changed("connector/collective/shape/CollectiveOptions.hpp", r"(struct ReduceOptions \{\n)    int root = 0;\n", r"\1"):
            self.assertIn("options of collectives, reduce: the page has root, the sources do not", self.numbers().stdout)

    def test_a_new_field_is_found(self):
        with self.changed("connector/collective/shape/CollectiveOptions.hpp", r"(struct AllReduceOptions \{\n)", r"\1    bool isExact{};\n"):
            self.assertIn("options of collectives, allReduce: the page lacks isExact", self.numbers().stdout)

    def test_an_option_of_the_launcher_that_is_missing_is_found(self):
        with self.changed("docs/options.md", r"\| `--linger.*\n", ""):
            self.assertIn("the page lacks --linger", self.numbers().stdout)

    def test_a_variable_that_is_missing_is_found(self):
        with self.changed("docs/options.md", r"\| `FERRY_GUARD_PATIENCE`.*\n", ""):
            self.assertIn("the page lacks FERRY_GUARD_PATIENCE", self.numbers().stdout)

    def program(self, path, text):
        path = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(path, 0o755)
        return path

    def picture(self, name):
        return self.check(os.path.join(self.root, "tools", "frontPage"), "--check", os.path.join(self.folder.name, "build"), name)

    @unittest.skipUnless(shutil.which("mpirun"), "pictures need an mpirun")
    def test_a_chart_of_other_numbers_is_found(self):
        self.assertEqual(self.picture("speed.svg").returncode, 0)
        with self.changed("docs/benchmarks.md", r"(## Messages\n(?:.*\n)*?\| 4 \|[^|]*\| )[\d.]+", r"\g<1>9.99"):
            done = self.picture("speed.svg")
            self.assertEqual(done.returncode, 1)
            self.assertIn("+ Ferry 9.99", done.stdout)

    @unittest.skipUnless(shutil.which("mpirun"), "pictures need an mpirun")
    def test_a_screenshot_of_another_page_is_found(self):
        self.program("build/bin/timetabling", """\
for last; do :; done
mkdir -p "$last"
echo '<style>p { }</style><p>Another week</p>' > "$last/curriculum-Biology-2a.html"
""")
        done = self.picture("timetable.png")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("+ Another week", done.stdout)
        self.assertIn("- Curriculum Biology-2a", done.stdout)

    def test_stale_output_is_found(self):
        program = self.program("program", "echo 1229 primes\n")
        for text, status in (("1229 primes\n", 0), ("1228 primes\n", 1)):
            with open(os.path.join(self.folder.name, "expected"), "w", encoding="utf-8") as file:
                file.write(text)
            self.assertEqual(self.check(os.path.join(HERE, "comparePrinted.py"), program, os.path.join(self.folder.name, "expected")).returncode, status)


if __name__ == "__main__":
    ROOT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
