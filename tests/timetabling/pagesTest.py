"""Runs the timetabling program with --html, as threads or under mpirun, and checks the pages that it writes."""
import base64
import hashlib
import os
import re
import sys

import commandLineTest
from launching import run


class Pages(commandLineTest.TestWithInstance):
    def expectPages(self, folder, kinds):
        """Requires pages of these kinds with valid links and only the one allowed script. Returns their names."""
        names = os.listdir(folder)
        self.assertEqual({name.split("-")[0] for name in names}, kinds | {"index.html"})
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                page = file.read()
            self.assertTrue(page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n"), name)
            targets = re.findall(r' href="([^"]*)"', page)
            anchors = set(re.findall(r' id="([^"]*)"', page))
            self.assertEqual([target for target in targets if target not in names and target[1:] not in anchors], [], name)
            script = re.search(r"<script>(.*?)</script>", page, re.DOTALL).group(1)
            digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
            self.assertIn(f"script-src 'sha256-{digest}'", page)
        return names

    @commandLineTest.everywhere
    def testPagesShowATimetableFromAllSides(self):
        status, _, errors = commandLineTest.run("solve", self.good, "--iterations", "1", "--html", self.path("pages"), "--out", self.path("pages.sol"))
        self.assertEqual(status, 0, errors)
        names = self.expectPages(self.path("pages"), {"room", "teacher", "curriculum", "course", "day"})
        with open(self.path("pages.sol"), encoding="utf-8") as file:
            lectures = file.read().splitlines()
        shown = 0
        for name in filter(lambda name: name.startswith("room-"), names):
            with open(os.path.join(self.path("pages"), name), encoding="utf-8") as file:
                shown += file.read().count('<div class="lecture')
        self.assertEqual(shown, len(lectures))

        status, output, errors = commandLineTest.run("explain", self.good, self.make("half.sol", "\n".join(lectures[::2])), "--html", self.path("half/pages"))
        self.assertEqual(status, 1, errors)
        self.assertEqual(sorted(self.expectPages(self.path("half/pages"), {"room", "teacher", "curriculum", "course", "day"})), sorted(names))
        with open(self.path("half/pages/index.html"), encoding="utf-8") as file:
            self.assertIn(output.splitlines()[-1], file.read())

    def testTheFirstPageHasTheDatesOfTheTerm(self):
        dates = ["--first-day", "2026-10-05", "--weeks", "15", "--off", "2026-12-21..2027-01-06"]
        status, _, errors = commandLineTest.run("solve", self.good, "--iterations", "1", "--html", self.path("dated.html"), "--out", self.path("dated.sol"), *dates)
        self.assertEqual(status, 0, errors)
        status, _, errors = commandLineTest.run("explain", self.good, self.path("dated.sol"), "--html", self.path("dated"), *dates)
        self.assertEqual(status, 0, errors)
        for page in ("dated.html", "dated/index.html"):
            with open(self.path(page), encoding="utf-8") as file:
                self.assertIn('data-first="2026-10-05" data-weeks="15" data-span="1" data-off="2026-12-21..2027-01-06"', file.read())

    def testPagesOfPostEnrolmentProblems(self):
        instance = self.path("pages.tim")
        self.assertEqual(commandLineTest.run("generate", "--enrolment", "--events", "40", "--rooms", "2", "--students", "30", "--out", instance)[0], 0)
        status, _, errors = commandLineTest.run("explain", instance, self.make("pages.sln", "0 0\n" * 20 + "-1 -1\n" * 20), "--html", self.path("events"))
        self.assertEqual(status, 1, errors)
        self.assertEqual(len(self.expectPages(self.path("events"), {"room", "day", "students.html"})), 9)

    def testAFullDiskLeavesTheOldPage(self):
        """A limit on the size of files simulates a full disk. Its signal would end the program without a message."""
        page = self.make("old.html", "old")
        empty = self.make("empty.sol", "")
        command = [commandLineTest.options.program, "explain", self.good, empty, "--html", page]
        limit = "import os, resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_DFL); " \
                "resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000)); os.execv(sys.argv[1], sys.argv[1:])"
        result = run([sys.executable, "-c", limit, *command])
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("old.html: cannot be written: File too large", result.stderr)
        with open(page, encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")
        self.assertEqual([name for name in os.listdir(self.folder.name) if name.startswith(".")], [])


if __name__ == "__main__":
    commandLineTest.main(__doc__)
