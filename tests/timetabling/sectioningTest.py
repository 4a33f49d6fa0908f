"""Runs the timetabling program on instances of ITC-2019, as threads or under mpirun, and checks exit status, output and files."""
import csv
import json
import os
import random
import sys
import xml.etree.ElementTree as ET

import commandLineTest as commandLine

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "scoring"))
import sectioningRules    # noqa: E402 (the path comes first)

# Two classes have one room and one time in common; one course has a class for one student.
CROWDED = """<problem name="crowded" nrDays="5" nrWeeks="2" slotsPerDay="100">
<optimization time="1" room="1" distribution="1" student="1"/>
<rooms><room id="R" capacity="9"/></rooms>
<courses>{courses}</courses>
<students>{students}</students>
</problem>
"""
COURSE = ('<course id="{0}"><config id="{0}"><subpart id="{0}"><class id="{0}" limit="1"><room id="R" penalty="0"/>'
          '<time days="10000" weeks="11" start="{1}" length="10" penalty="0"/></class></subpart></config></course>')


def crowded(otherStart=15, students=1):
    return CROWDED.format(courses=COURSE.format("a", 10) + COURSE.format("b", otherStart),
                          students="".join(f'<student id="{i}"><course id="a"/></student>' for i in range(students)))


class Sectioning(commandLine.TestWithInstance):
    def solvable(self, courses=6):
        root, timetable = sectioningRules.makeSolvable(random.Random(f"solvable {courses}"), courses)
        return root, self.make(f"solvable{courses}.xml", sectioningRules.textOf(root)), self.make("planted.xml", sectioningRules.textOf(timetable))

    @commandLine.everywhere
    def testAnInstanceIsSolvedTheSameWayTwiceAndTheSecondScorerAgrees(self):
        root, instance, planted = self.solvable()
        status, output, errors = commandLine.run("score", instance, planted)
        if "built without pugixml" in errors:
            self.skipTest("the program was built without pugixml")
        self.assertEqual(status, 0, output + errors)
        plantedCost = int(output.split()[-1])
        outcomes = []
        for number in range(2):
            files = [self.path(f"result{number}{ending}") for ending in (".sol.xml", ".csv", ".json")]
            status, output, errors = commandLine.run("solve", instance, "--iterations", "2", "--target", str(plantedCost * 3 // 4), "--seed", "4", "--out", files[0],
                                                     "--csv", files[1], "--json", files[2])
            self.assertEqual(status, 0, output + errors)
            with open(files[0], encoding="utf-8") as file:
                outcomes.append((output, file.read()))
        self.assertEqual(*outcomes)
        violations, sums, cost = sectioningRules.score(root, ET.fromstring(outcomes[0][1].encode()))
        self.assertEqual(sum(violations.values()), 0, violations)
        self.assertEqual(output.splitlines()[-1], f"feasible, cost {cost}")
        self.assertLess(cost, plantedCost)
        status, scored, errors = commandLine.run("score", instance, files[0])
        self.assertEqual((status, scored.splitlines()[-1]), (0, f"feasible, cost {cost}"), errors)
        with open(files[2], encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual((report["feasible"], report["cost"], report["sums"]), (True, cost, sums))
        with open(files[1], encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["class"] for row in rows], [one["class"] for one in report["classes"]])
        self.assertEqual([int(row["students"]) for row in rows], [len(one["students"]) for one in report["classes"]])

    @commandLine.everywhere
    def testATimetableThatBreaksHardConstraintsIsWrittenAndTold(self):
        instance, result = self.make("crowded.xml", crowded()), self.path("crowded.sol.xml")
        status, output, errors = commandLine.run("solve", instance, "--iterations", "1", "--out", result)
        if "built without pugixml" in errors:
            self.skipTest("the program was built without pugixml")
        self.assertEqual((status, output.splitlines()[-1]), (1, "infeasible: 1 violation, cost 0"), errors)
        self.assertIn("crowded.xml: no feasible timetable was found; the best one breaks hard constraints: 1 RoomOverlap\n", errors)
        status, output, errors = commandLine.run("score", instance, result, "--explain")
        self.assertEqual((status, output.splitlines()[0]), (1, "classes a and b overlap in room R"), errors)
        status, output, errors = commandLine.run("explain", instance, result)
        self.assertEqual(status, 1, errors)
        self.assertIn("RoomOverlap (hard): 1\n  classes a and b overlap in room R\n", output)
        status, output, errors = commandLine.run("solve", self.make("free.xml", crowded(20)), "--time", "5", "--out", result)
        self.assertEqual((status, output.splitlines()[-1]), (0, "feasible, cost 0"), errors)

    def testTooManyStudentsAreAProof(self):
        instance = self.make("full.xml", crowded(20, 2))
        for command in ("solve", "check"):
            status, output, errors = commandLine.run(command, instance)
            if "built without pugixml" in errors:
                self.skipTest("the program was built without pugixml")
            self.assertEqual(status, 1, output + errors)
            self.assertIn("no feasible timetable exists: 2 students ask for course a, whose classes have room for 1\n", output + errors)

    def testAnInstanceIsKnownByItsContentsAndWrittenAgain(self):
        _, instance, planted = self.solvable(3)
        other = self.path("other.instance")
        os.rename(instance, other)
        status, output, errors = commandLine.run("check", other)
        if "built without pugixml" in errors:
            self.skipTest("the program was built without pugixml")
        self.assertEqual(status, 0, errors)
        self.assertRegex(output, r"^solvable-3: \d+ classes of 3 courses, 3 rooms, \d+ students, \d+ distributions, 13 weeks, rules of ITC-2019\n")
        again = self.path("again.xml")
        self.assertEqual(commandLine.run("convert", other, again)[0], 0)
        scores = [commandLine.run("score", path, planted) for path in (other, again)]
        self.assertEqual(*scores)

    def testOptionsOfOtherProblemsAndFilesOfOtherProgramsAreRefused(self):
        instance = self.make("small.xml", crowded(20))
        solution = self.make("small.sol", '<solution name="crowded"/>')
        table = self.make("small.csv", "a,b\n")
        refused = "found one of ITC-2019"
        for arguments, part in [(["solve", instance, "--html", self.path("page.html")], f"--html: expected .*{refused}"),
                                (["solve", instance, "--anyway"], f"--anyway: expected .*{refused}"),
                                (["solve", instance, "--serve", "0"], f"--serve: expected .*{refused}"),
                                (["solve", instance, "--start", solution], f"--start: expected .*{refused}"),
                                (["solve", instance, "--pin", table], f"--pin: expected .*{refused}"),
                                (["solve", instance, "--formulation", "UD1"], f"--formulation, {refused}"),
                                (["repair", solution, "--instance", instance], f"repair: expected .*{refused}"),
                                (["explain", instance, solution, "--html", self.path("page.html")], f"--html: expected .*{refused}"),
                                (["convert", instance, self.path("small.ctt")], refused),
                                (["disrupt", instance, "--kind", "room", "--out", self.path("changed.ctt")], refused),
                                (["score", instance, self.make("odd.sol", '<solution name="odd"/>')], "expected a timetable of instance 'crowded'"),
                                (["score", solution, instance], "found a timetable of ITC-2019; the instance comes first"),
                                (["check", self.make("fet.fet", '<?xml version="1.0"?>\n<fet version="6"/>')], "fet.fet:2: .* a file of the program FET"),
                                (["check", self.make("cut.xml", crowded()[:300])], "cut.xml:.*expected XML")]:
            status, output, errors = commandLine.run(*arguments)
            if "built without pugixml" in errors:
                self.skipTest("the program was built without pugixml")
            self.assertEqual((status, output), (2, ""), errors)
            self.assertRegex(errors, part)


if __name__ == "__main__":
    commandLine.main(__doc__)
