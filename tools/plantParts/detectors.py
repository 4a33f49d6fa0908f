"""The tests that are asked for bugs, and which bugs each of them reaches."""
import hashlib
import json
import os
import subprocess
import sys
import time

from plantParts.plantedTree import describeStatus, errorPlacesIn, errorsIn, placesIn, slotOf

WITHOUT_S = 1200    # for a test without a bug
FIRST_STEP_S = 1    # for the fastest cases of a program that reach a bug; later steps take four times as long each


def faultyOf(bugs, output):
    """The bugs that do not compile: those in a line that the compiler names, else the last one above each error, such as that of a function
    that returns although it must not."""
    places = placesIn(output)
    named = [bug for bug in bugs if any(line == bug.line and path.endswith(bug.path) for path, line in places)]
    if named:
        return named
    above = [[bug for bug in bugs if path.endswith(bug.path) and bug.line < line] for path, line in errorPlacesIn(output)]
    return list({max(each, key=lambda bug: bug.line) for each in above if each})


class Detectors:
    """The detectors of a plan, with the tree that they look at.

    A detector whose entry has "cases" is a doctest program. Each of its cases runs alone once, without a bug, and notes which switches it
    reaches. A bug is shown to the cases that reach it, and to no other. folder: keeps the notes, which hold as long as the program does.
    """

    def __init__(self, tree, detectors, folder):
        self.tree, self.detectors, self.notes = tree, detectors, os.path.join(folder, "reached.json")
        self.parts = {}    # by the name of a detector: the seconds and the slots of each part that runs alone, by the name of its case

    def plant(self, bugs):
        """Plants the bugs and builds all detectors. Returns the bugs that do not compile."""
        refused = []
        while True:
            left = [bug for bug in bugs if bug not in refused]
            texts = {path: self.tree.before.get(path) or self.tree.read(path) for path in {bug.path for bug in left}}
            for path in texts:
                lines = texts[path].splitlines(keepends=True)
                for bug in (bug for bug in left if bug.path == path):
                    assert lines[bug.line - 1].rstrip("\n") == bug.before, "the copy of the tree is not the tree"
                    lines[bug.line - 1] = bug.switched.replace("{id}", bug.id) + "\n"
                texts[path] = "".join(lines)
            self.tree.plant(texts)
            output = self.tree.build(*dict.fromkeys(each["target"] for each in self.detectors))
            if output is None:
                return refused
            faulty = faultyOf(left, output)
            if not faulty:
                sys.exit(f"mutate: the detectors cannot be built without a planted bug\n{errorsIn(output)}")
            refused += faulty

    def measure(self):
        """Runs all detectors without a bug. The time that a part takes is the base of its limit."""
        try:
            with open(self.notes, encoding="utf-8") as file:
                notes = json.load(file)
        except (OSError, ValueError):
            notes = {}
        for detector in self.detectors:
            name, mark = detector["name"], self.markOf(detector)
            if name not in notes or notes[name]["mark"] != mark:
                print(f"without a bug: {name}", flush=True)
                notes[name] = {"mark": mark, "parts": self.partsOf(detector)}
                with open(self.notes + ".new", "w", encoding="utf-8") as file:
                    json.dump(notes, file)
                os.replace(self.notes + ".new", self.notes)
            self.parts[name] = {case: (seconds, frozenset(slots)) for case, (seconds, slots) in notes[name]["parts"].items()}

    def markOf(self, detector):
        """A text that is another one when the detector or one of its programs is."""
        mark = hashlib.sha256(json.dumps(detector, sort_keys=True).encode())
        for path in self.tree.program(detector["command"]):
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    mark.update(file.read())
        return mark.hexdigest()

    def partsOf(self, detector):
        """The seconds and the slots of each case that passes alone, or of the whole detector under the name ""."""
        parts = {}
        for case in self.casesOf(detector) if detector.get("cases") else [""]:
            begin = time.monotonic()
            status, slots = self.tree.reachedBy(self.commandFor(detector, [case] if case else []), WITHOUT_S)
            if status == 0:
                parts[case] = (time.monotonic() - begin, slots)
            elif case:
                print(f"    left out, as it fails alone: {case}", flush=True)
            else:
                sys.exit(f"mutate: {detector['name']} fails without a planted bug")
        return parts

    def casesOf(self, detector):
        listed = subprocess.run(self.tree.program(detector["command"]) + ["--list-test-cases", "--no-colors"], capture_output=True, text=True,
                                check=True).stdout
        return dict.fromkeys(line for line in listed.splitlines() if line and not line.startswith(("[doctest]", "===")))

    @staticmethod
    def commandFor(detector, cases):
        """The command, with these cases alone unless there are none. It ends at its first failure."""
        if not cases:
            return detector["command"]
        names = ",".join(case.replace("\\", "\\\\").replace(",", "\\,") for case in cases)
        return [*detector["command"], f"--test-case={names}", "--abort-after=1"]

    def stepsFor(self, bug, asked):
        """The parts that reach the bug, in steps of commands: the seconds that a step takes without a bug, its detector and its cases."""
        steps = []
        for detector in self.detectors:
            if detector["name"] in asked:
                continue
            parts = {case: seconds for case, (seconds, slots) in self.parts[detector["name"]].items() if slotOf(bug.id) in slots}
            sums, limit = [], FIRST_STEP_S
            for case in sorted(parts, key=parts.get):
                if not sums or sums[-1][0] + parts[case] > limit:
                    limit *= 4 if sums else 1
                    sums.append([0, []])
                sums[-1][0] += parts[case]
                sums[-1][1] += [case] if case else []
            steps += [(seconds, detector, cases) for seconds, cases in sums]
        return steps

    def find(self, bug, asked, atMost):
        """The name of the detector that finds the bug, and how; nothing when none does. asked: detectors that have not found it.

        Steps of the bug's own room count half. No step begins after atMost seconds, unless this is 0. Returns also whether all steps ran.
        """
        begin, room = time.monotonic(), bug.path.split("/")[0]
        steps = self.stepsFor(bug, asked)
        for seconds, detector, cases in sorted(steps, key=lambda step: step[0] / (2 if room in step[1].get("rooms", []) else 1)):
            if atMost and time.monotonic() - begin + seconds > atMost:
                return None, False
            command = self.commandFor(detector, cases)
            limit = detector.get("seconds", 15 + 8 * seconds)
            status = self.tree.run(command, limit, bug.id)
            if status == 0:
                continue
            if status is not None and self.tree.run(command, limit, bug.id) == 0:    # a machine under load
                print(f"    unsteady: {detector['name']} failed once with status {status}", flush=True)
                continue
            return (detector["name"], describeStatus(status)), True
        return None, True

    def isReached(self, bug):
        return any(slotOf(bug.id) in slots for parts in self.parts.values() for _, slots in parts.values())
