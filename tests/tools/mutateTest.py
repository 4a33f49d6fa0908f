#!/usr/bin/env python3
"""tools/mutate on a tiny project: a bug in a tested function is found, one in a function without a test is not, and a later run goes on."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "tools", "mutate")

# The program is its own test. greater() and countDown() have a test, and smaller() has none.
SOURCE = """#include "small.hpp"

bool greater(int first, int second) {
    return first > second;
}

bool smaller(int first, int second) {
    return first < second;
}

int countDown(int from) {
    for (; from != 0; rest()) {
        step(from);
    }
    return from;
}

void step(int& number) { --number; }
"""
HEADER = """bool greater(int first, int second);
bool smaller(int first, int second);
int countDown(int from);
void step(int& number);
void rest();
"""
# A bug that does not end takes no time of a processor.
REST = """#include <unistd.h>
void rest() { usleep(1000); }
"""
MAIN = REST + """#include "small.hpp"
int main() { return greater(2, 1) && !greater(1, 1) && countDown(3) == 0 ? 0 : 1; }
"""
# Cases as in a program of doctest. Each writes its name to a log.
CASES = REST + """#include "small.hpp"
#include <cstdio>
#include <cstring>
#include <string>
int main(int, char** words) {
    const std::string option = words[2];
    if (option == "--list-test-cases") return std::puts("[doctest] listing\\n===\\ngreater\\nsmaller\\ncounts, down\\nfails"), 0;
    bool passes = true;
    for (const std::string name : {"greater", "smaller", "counts, down", "fails"}) {
        if (option.find(name == "counts, down" ? "counts\\\\, down" : name) == option.npos) continue;
        std::FILE* log = std::fopen(words[1], "a");
        std::fprintf(log, "%s\\n", name.c_str());
        std::fclose(log);
        if (name == "greater") passes = passes && greater(2, 1) && !greater(1, 1);
        if (name == "smaller") passes = passes && smaller(1, 2);
        if (name == "counts, down") passes = passes && countDown(3) == 0;
        if (name == "fails") passes = false;
    }
    return passes ? 0 : 1;
}
"""
BUILD = "mkdir -p bin && ${CXX:-c++} -o bin/check room/small.cpp room/checkMain.cpp && echo built >> builds\n"


def run(*command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


class MutateTest(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.root = os.path.join(self.place.name, "project")
        self.folder = os.path.join(self.place.name, "copy")
        os.makedirs(os.path.join(self.root, "room"))
        self.write("room/small.cpp", SOURCE)
        self.write("room/small.hpp", HEADER)
        self.write("room/checkMain.cpp", MAIN)
        self.write("build.sh", BUILD)
        self.plan = os.path.join(self.place.name, "plan.json")
        with open(self.plan, "w", encoding="utf-8") as file:
            json.dump({"rooms": ["room"], "skip": "Main", "build": ["sh", "build.sh", "{target}"], "bin": "bin",
                       "detectors": [{"name": "the test", "target": "check", "command": ["{bin}/check"], "seconds": 5}]}, file)
        run("git", "init", "--quiet", folder=self.root)
        self.commit()

    def tearDown(self):
        self.place.cleanup()

    def write(self, name, text):
        with open(os.path.join(self.root, name), "w", encoding="utf-8") as file:
            file.write(text)

    def planOf(self, **entries):
        """Gives the plan these entries."""
        with open(self.plan, encoding="utf-8") as file:
            plan = json.load(file)
        with open(self.plan, "w", encoding="utf-8") as file:
            json.dump({**plan, **entries}, file)

    def commit(self):
        run("git", "add", ".", folder=self.root)
        run("git", "-c", "user.name=Test", "-c", "user.email=test@example.org", "commit", "--quiet", "-m", "Change", folder=self.root)

    def mutate(self, *more):
        return run(sys.executable, "-B", TOOL, self.folder, "--root", self.root, "--plan", self.plan, *more, folder=self.root)

    def results(self):
        with open(os.path.join(self.folder, "results.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def foundBy(self, line):
        return [(each["found"], each["how"]) for each in self.results() if each["before"].strip() == line]

    def testTestedLinesAreFoundAndOthersAreNot(self):
        ended = self.mutate()
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(self.foundBy("return first > second;"), [("the test", "fails with status 1")])
        self.assertEqual(self.foundBy("return first < second;"), [("nothing", "no test reaches it")])
        self.assertEqual(self.foundBy("step(from);"), [("the test", "does not end")])
        self.assertIn("found by nothing", ended.stdout)
        self.assertRegex(ended.stdout, r"the test +3\nnothing +1\nall +4")
        with open(os.path.join(self.folder, "tree", "room", "small.cpp"), encoding="utf-8") as file:
            self.assertEqual(file.read(), SOURCE)    # no bug stays

    def testLaterRunGoesOn(self):
        self.assertEqual(self.mutate("--count", "2").returncode, 0)
        first = [each["id"] for each in self.results()]
        self.write("room/small.cpp", SOURCE.replace('hpp"\n', 'hpp"\n\n'))    # lines move, and the bugs stay the same
        self.commit()
        ended = self.mutate()
        self.assertIn("2 of these bugs have a result of an earlier run", ended.stdout)
        both = [each["id"] for each in self.results()]
        self.assertEqual(both[:2], first)
        self.assertEqual(len(set(both)), 4)
        self.assertEqual(len(both), 4)
        with open(os.path.join(self.folder, "tree", "builds"), encoding="utf-8") as file:
            before = len(file.readlines())
        self.mutate()
        with open(os.path.join(self.folder, "tree", "builds"), encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), before)    # nothing is left to do, so nothing is built

    def testKindsChooseAmongTheBugs(self):
        self.assertEqual(self.mutate("--kinds", "call left out").returncode, 0)
        self.assertEqual([each["kind"] for each in self.results()], ["call left out"])

    def testNewDetectorIsAskedForWhatOthersHaveNotFound(self):
        self.write("room/checkMain.cpp", MAIN.replace("? 0", "&& smaller(1, 2) ? 0"))
        self.commit()
        with open(self.plan, encoding="utf-8") as file:
            detectors = json.load(file)["detectors"]
        self.planOf(detectors=[*detectors, {"name": "the switch", "target": "check", "seconds": 5,
                                            "command": ["sh", "-c", "{bin}/check && test -z \"$FERRY_PLANTED\""]}])
        self.assertEqual(self.mutate("--detectors", "the test").returncode, 0)
        self.assertEqual(self.foundBy("return first < second;"), [("nothing", "")])
        ended = self.mutate()
        self.assertIn("3 of these bugs have a result", ended.stdout)
        self.assertEqual(self.foundBy("return first < second;")[-1], ("the switch", "fails with status 1"))
        self.assertRegex(ended.stdout, r"the test +3\nthe switch +1\nall +4")
        self.assertIn("there is no detector the tset; there are", self.mutate("--detectors", "the tset").stderr)

    def testBugIsShownToTheCasesThatReachItAlone(self):
        self.write("room/checkMain.cpp", CASES)
        self.commit()
        log = os.path.join(self.place.name, "log")
        self.planOf(detectors=[{"name": "the cases", "target": "check", "command": ["{bin}/check", log], "seconds": 5, "cases": True}])
        ended = self.mutate()
        self.assertEqual(self.foundBy("return first > second;"), [("the cases", "fails with status 1")])
        self.assertEqual(self.foundBy("return first < second;"), [("nothing", "")])
        self.assertIn("left out, as it fails alone: fails", ended.stdout)
        with open(log, encoding="utf-8") as file:
            runs = file.read().splitlines()
        self.assertEqual(runs.count("counts, down"), 1 + 2 + 1)    # without a bug; a failure is looked at twice, a hang once
        self.assertEqual(runs.count("greater"), 1 + 2)
        self.assertEqual(runs.count("smaller"), 1 + 1)
        self.assertEqual(runs.count("fails"), 1)

    def testBugThatNothingFoundIsShownAgainWhenAsked(self):
        self.assertEqual(self.mutate().returncode, 0)
        self.write("room/checkMain.cpp", MAIN.replace("countDown(3) == 0", "countDown(3) == 0 && !smaller(1, 1)"))
        self.commit()
        self.assertIn("4 of these bugs have a result", self.mutate().stdout)
        ended = self.mutate("--again")
        self.assertIn("3 of these bugs have a result", ended.stdout)
        self.assertEqual(self.foundBy("return first < second;")[-1], ("the test", "fails with status 1"))

    def testBugWithTheSameBehaviourIsNotShown(self):
        self.assertEqual(self.mutate().returncode, 0)
        missed = [each["id"] for each in self.results() if each["found"] == "nothing"]
        self.planOf(same={missed[0]: "nobody calls the function"})
        ended = self.mutate()
        self.assertIn("same behaviour: nobody calls the function", ended.stdout)
        self.assertRegex(ended.stdout, r"the test +3\nsame behaviour +1\nall +4")

    def testTreeThatFailsByItselfIsNoBase(self):
        self.write("room/checkMain.cpp", MAIN.replace("? 0 : 1", "? 1 : 0"))
        self.commit()
        ended = self.mutate()
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("the test fails without a planted bug", ended.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "results.jsonl")))

    def testFolderInsideOfTheTreeIsRefused(self):
        self.folder = os.path.join(self.root, "copy")
        ended = self.mutate()
        self.assertEqual(ended.returncode, 2)
        self.assertIn("outside of the tree", ended.stderr)

    def testChangesThatAreNotCommittedAreRefused(self):
        self.write("room/small.cpp", SOURCE + "\n")
        ended = self.mutate()
        self.assertEqual(ended.returncode, 2)
        self.assertIn("committed", ended.stderr)


if __name__ == "__main__":
    unittest.main()
