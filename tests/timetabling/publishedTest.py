"""Runs `timetabling solve` with published timetables and pins, as threads or under mpirun, and checks exit status, output and files."""
import argparse
import json
import re
import sys
import unittest

import commandLineTest as commandLine


class Published(commandLine.TestWithInstance):
    def expectRefusal(self, arguments, part):
        status, output, errors = commandLine.run(*arguments)
        self.assertEqual(status, 2, errors)
        self.assertEqual(len(commandLine.ownLines(errors)), 1, errors)
        self.assertIn(part, errors)
        self.assertEqual(output, "")

    def withoutRoom(self, room):
        text, count = re.subn(rf"^{re.escape(room)} \d+\n", "", self.text, flags=re.MULTILINE)
        self.assertEqual(count, 1)
        return text.replace("Rooms: 14", "Rooms: 13")

    def testAClosedRoomMovesItsLecturesOnlyAndPinnedOnesStay(self):
        published, again = self.path("published.sol"), self.path("again.sol")
        self.assertEqual(commandLine.run("solve", self.good, "--iterations", "1", "--out", published)[0], 0)
        with open(published, encoding="utf-8") as file:
            lectures = [tuple(line.split()) for line in file]
        inRoom = [lecture for lecture in lectures if lecture[1] == "B.5"]
        closed = self.make("closed.ctt", self.withoutRoom("B.5"))
        contents = []
        for _ in range(2):
            status, output, errors = commandLine.run("solve", closed, "--start", published, "--iterations", "3", "--out", again, "--json", self.path("again.json"))
            self.assertEqual(status, 0, errors)
            self.assertIn(f"\n{len(inRoom)} of {len(lectures)} lectures moved, {len(inRoom)} of them because their place is gone or closed\n", output)
            with open(again, encoding="utf-8") as file:
                contents.append(file.read())
        self.assertEqual(contents[0], contents[1])
        self.assertEqual(set(lectures) - {tuple(line.split()) for line in contents[0].splitlines()}, set(inRoom))
        with open(self.path("again.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual((report["movedCount"], len(report["moved"])), (len(inRoom), len(inRoom)))
        self.assertEqual(report["moved"][0]["cause"], "the room is no longer there")

        pinned = [lecture for lecture in lectures if lecture not in inRoom][:150]
        table = self.make("pins.csv", "course,room,day,period\n" + "".join(",".join(lecture) + "\n" for lecture in pinned))
        status, output, errors = commandLine.run("solve", closed, "--start", published, "--keep", "0", "--pin", table, "--iterations", "2", "--out", again)
        self.assertEqual(status, 0, errors)
        with open(again, encoding="utf-8") as file:
            self.assertLessEqual(set(pinned), {tuple(line.split()) for line in file})

    def testWhatCannotBeKeptIsToldInOneLine(self):
        published = self.path("kept.sol")
        self.assertEqual(commandLine.run("solve", self.good, "--iterations", "1", "--target", "1000000", "--out", published)[0], 0)
        pins = self.make("twice.csv", "course,day,period\nLAW-101,0,9\n")
        self.expectRefusal(["solve", self.good, "--pin", pins], "twice.csv:2: column 'period': expected a whole number from 0 to 4, found '9'")
        pins = self.make("both.csv", "course;day;period\nPHY-301;0;0\nPHY-302;0;0\n")
        self.expectRefusal(["solve", self.good, "--pin", pins],
                           "both.csv:3: courses PHY-302 and PHY-301 share curriculum Physics-3a and are both pinned on day 0 period 0")
        self.expectRefusal(["solve", self.good, "--start", self.make("no.sol", "")], "no.sol: expected lectures of the courses of the instance, found none")
        self.expectRefusal(["solve", self.good, "--keep", "5"], "--start")
        self.expectRefusal(["solve", self.good, "--start", published, "--pin-all-but", "Alchemy"], "found 'Alchemy'")
        self.assertEqual(commandLine.run("generate", "--enrolment", "--events", "60", "--rooms", "3", "--out", self.path("kept.tim"))[0], 0)
        self.expectRefusal(["solve", self.path("kept.tim"), "--start", published], "found a post-enrolment one")

    def testPinsThatLeaveNoTimetableAreNamed(self):
        crowded = self.make("crowded.ctt", "Name: Crowded\nCourses: 2\nRooms: 2\nDays: 1\nPeriods_per_day: 3\nCurricula: 0\nConstraints: 1\nCOURSES:\n"
                            "a Ada 2 1 1\nb Ada 1 1 1\nROOMS:\nr 9\ns 9\nCURRICULA:\nUNAVAILABILITY_CONSTRAINTS:\nb 0 2\nEND.\n")
        pins = self.make("crowded.csv", "course,day,period,room\na,0,0,\na,0,1,s\n")
        status, _, errors = commandLine.run("solve", crowded, "--pin", pins)
        self.assertEqual(status, 1, errors)
        self.assertIn("crowded.ctt: no feasible timetable exists: teacher Ada has 3 lectures in courses", errors)
        self.assertIn("  pinned: course a on day 0 period 1 in room s\n  pinned: course a on day 0 period 0\n", errors)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--instance", required=True)
    parser.add_argument("--launcher", choices=["threads", "mpirun"], required=True)
    parser.add_argument("--mpiexec", default="mpirun")
    commandLine.options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
