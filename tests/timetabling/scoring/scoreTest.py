"""Compares `timetabling score` with the rules as they are written down beside this file, on random instances and mostly invalid timetables."""
import argparse
import os
import random
import re
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from launching import run    # noqa: E402 (the path comes first)

import curriculumRules    # noqa: E402
import enrolmentRules    # noqa: E402
import ownRules    # noqa: E402
import sectioningRules    # noqa: E402

options = None


def scored(folder, number, ending, instance, timetable, *arguments):
    """Runs the program. Returns the amount by constraint, and the last line."""
    paths = [os.path.join(folder, f"{number}{ending}"), os.path.join(folder, f"{number}.sol")]
    for path, text in zip(paths, (instance, timetable)):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    done = run([options.program, "score", *paths, *arguments])
    if done.returncode not in (0, 1):
        raise AssertionError(f"status {done.returncode}: {done.stderr}\n{instance}\n{timetable}")
    rows = re.findall(r"^(\w+) +(?:violations|cost|distance) +(\d+)$", done.stdout, re.MULTILINE)
    return {name: int(amount) for name, amount in rows}, done.stdout.splitlines()[-1], done.returncode


def countOf(number):
    return "1 violation" if number == 1 else f"{number} violations"


class ScoreAgreesWithTheRules(unittest.TestCase):
    maxDiff = None

    def compare(self, kind, one):
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
            verdicts = list(pool.map(lambda number: one(folder, number), range(options.count)))
        for told, expected, about in verdicts:
            self.assertEqual(told, expected, f"{kind}, {about}")
        valid = sum(told[2] == 0 for told, _, _ in verdicts)
        print(f"{kind}: {len(verdicts)} timetables, {valid} of them feasible, no difference", flush=True)

    def testCurriculumBased(self):
        for formulation in curriculumRules.WEIGHTS:
            def one(folder, number, formulation=formulation):
                chance = random.Random(f"{options.seed} {formulation} {number}")
                instance = curriculumRules.makeInstance(chance)
                lines = curriculumRules.makeTimetable(instance, chance)
                texts = curriculumRules.writeInstance(instance), curriculumRules.writeTimetable(lines)
                told = scored(folder, number, ".ectt", *texts, "--formulation", formulation)
                shown, violations, cost = curriculumRules.score(instance, lines, formulation)
                verdict = f"feasible, cost {cost}" if violations == 0 else f"infeasible: {countOf(violations)}, cost {cost}"
                return told, (shown, verdict, int(violations > 0)), "\n".join(texts)
            self.compare(formulation, one)

    def testStudentSectioning(self):
        def one(folder, number):
            chance = random.Random(f"{options.seed} sectioning {number}")
            instance = sectioningRules.makeInstance(chance)
            timetable = sectioningRules.makeTimetable(instance, chance)
            paths = [os.path.join(folder, f"sectioning{number}{ending}") for ending in (".xml", ".sol.xml")]
            texts = [sectioningRules.textOf(element) for element in (instance, timetable)]
            for path, text in zip(paths, texts):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            done = run([options.program, "score", *paths, "--explain"])
            if "built without pugixml" in done.stderr:
                return None
            self.assertIn(done.returncode, (0, 1), done.stderr + "\n".join(texts))
            hard = {name: int(amount) for name, amount in re.findall(r"^(\w+) +violations +(\d+)$", done.stdout, re.MULTILINE)}
            sums = re.search(r"^Sums x weights +time (\d+) x \d+, room (\d+) x \d+, distribution (\d+) x \d+, student (\d+) x", done.stdout,
                             re.MULTILINE)
            costs = dict(re.findall(r"^(\w+) +cost +(\d+)$", done.stdout, re.MULTILINE))
            # The lines that explain the costs add up to them.
            explained = sum(int(cost) for cost in re.findall(r": costs (\d+)$", done.stdout, re.MULTILINE))
            told = (hard, dict(zip(("time", "room", "distribution", "student"), map(int, sums.groups()))), sum(map(int, costs.values())), explained,
                    done.stdout.splitlines()[-1], done.returncode)
            violations, shown, cost = sectioningRules.score(instance, timetable)
            count = sum(violations.values())
            verdict = f"feasible, cost {cost}" if count == 0 else f"infeasible: {countOf(count)}, cost {cost}"
            return (told, (violations, shown, cost, cost, verdict, int(count > 0)), "\n".join(texts))
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
            verdicts = list(pool.map(lambda number: one(folder, number), range(options.count)))
        if verdicts[0] is None:
            self.skipTest("the program was built without pugixml")
        for told, expected, about in verdicts:
            self.assertEqual(told, expected, about)
        types = {name for told, _, _ in verdicts for name, amount in told[0].items() if amount > 0}
        print(f"sectioning: {len(verdicts)} timetables, {sum(told[-1] == 0 for told, _, _ in verdicts)} of them feasible, violations of "
              f"{len(types)} kinds, no difference", flush=True)

    def testRulesOfTeachersOrdersAndWeeks(self):
        def one(folder, number):
            chance = random.Random(f"{options.seed} own {number}")
            made = ownRules.make(chance)
            timetable = ownRules.makeTimetable(made, chance)
            tables = os.path.join(folder, f"own{number}")
            os.mkdir(tables)
            ownRules.write(made, tables)
            paths = [os.path.join(folder, f"own{number}.{ending}") for ending in ("sol", "csv")]
            for path, text in zip(paths, (ownRules.writeTimetable(timetable), ownRules.writeWeights(made))):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            done = run([options.program, "score", tables, paths[0], "--weights", paths[1], "--explain"])
            self.assertIn(done.returncode, (0, 1), done.stderr)
            told = {name: int(cost) for name, cost in re.findall(r"^(\w+) +cost +(\d+)$", done.stdout, re.MULTILINE)}
            # The lines that explain the costs add up to them.
            explained = sum(int(cost) for cost in re.findall(r": costs (\d+)$", done.stdout, re.MULTILINE))
            costs = ownRules.score(made, timetable)
            return (told, explained, done.returncode), (costs, sum(costs.values()), done.returncode), ownRules.writeTimetable(timetable)
        self.compare("own rules", one)

    def testPostEnrolment(self):
        for hasSecondRules in (False, True):
            def one(folder, number, hasSecondRules=hasSecondRules):
                chance = random.Random(f"{options.seed} {hasSecondRules} {number}")
                instance = enrolmentRules.makeInstance(chance, hasSecondRules)
                lines = enrolmentRules.makeTimetable(instance, chance)
                texts = enrolmentRules.writeInstance(instance), enrolmentRules.writeTimetable(lines)
                told = scored(folder, number, ".tim", *texts)
                shown, violations, distance, cost = enrolmentRules.score(instance, lines)
                isFeasible = violations == 0 and distance == 0
                verdict = f"feasible, cost {cost}" if isFeasible else (
                    f"infeasible: {countOf(violations)}, distance to feasibility {distance}, cost {cost}")
                return told, (shown, verdict, int(not isFeasible)), "\n".join(texts)
            self.compare("ITC-2007" if hasSecondRules else "ITC-2002", one)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=100, help="timetables of each kind")
    parser.add_argument("--seed", type=int, default=1)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
