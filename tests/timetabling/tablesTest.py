"""Runs timetabling with folders of tables as spreadsheets save them, and repairs timetables, as threads or under mpirun."""
import csv
import json
import os
import re

import commandLineTest as commandLine

TABLES = {"week.csv": "name\nUni\n", "days.csv": "day\nMonday\nTuesday\n", "periods.csv": "period,begin,end\n1st,08:15,09:00\n2nd,09:15,10:00\nLate,14:00,14:45\n",
          "courses.csv": "sep=;\ncourse;teacher;lectures;students\nLinear Algebra I;Müller, Hans & Rossi;2;40.0\nANA;Rossi;2;30\nGEO;Weber;1;20\n;;;\n",
          "rooms.csv": "Room,Seats,,\nR 1,50,,\nR2,30,,\n", "curricula.csv": "curriculum\tcourse\nM1\tLinear Algebra I\nM1\tANA\nM2\tGEO\n",
          "closed.csv": "room,teacher,day,period\nR 1,,Monday,08:15\n,Weber,Tuesday,\n"}


class Tables(commandLine.TestWithInstance):
    def folderWith(self, name, **changes):
        os.makedirs(self.path(name), exist_ok=True)
        for file in os.listdir(self.path(name)):
            os.remove(os.path.join(self.path(name), file))
        for file, text in (TABLES | {f"{table}.csv": text for table, text in changes.items()}).items():
            if text is not None:
                self.make(os.path.join(name, file), text)
        return self.path(name)

    @commandLine.everywhere
    def testAFolderOfSpreadsheetsIsCheckedSolvedAndReadBack(self):
        folder = self.folderWith("uni")
        status, output, errors = commandLine.run("check", folder)
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("Uni (UD2): 3 courses, 5 lectures, 2 rooms, 6 periods, 2 curricula\n", output)
        files = {name: self.path("uni." + name) for name in ["sol", "csv", "json"]}
        status, output, errors = commandLine.run("solve", folder, "--iterations", "2", "--out", files["sol"], "--csv", files["csv"], "--json", files["json"],
                                                 "--html", self.path("uni.html"), "--ics", self.path("uniWeek"), "--first-day", "2026-10-05", "--weeks", "2")
        self.assertEqual(status, 0, errors)
        with open(files["csv"], encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
        self.assertEqual(len(table), 5)
        for row in table:
            self.assertIn(row["day"], ["Monday", "Tuesday"])
            self.assertIn(row["period"], ["1st", "2nd", "Late"])
            self.assertNotEqual((row["room"], row["day"], row["period"]), ("R 1", "Monday", "1st"))
        taughtByRossi = [(row["day"], row["period"]) for row in table if "Rossi" in row["teacher"]]
        self.assertEqual(len(set(taughtByRossi)), 4)
        with open(self.path("uni.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn('<th scope="col">Monday</th>', page)
        self.assertIn('<th scope="row">1st (08:15-09:00)</th>', page)
        self.assertNotIn("Day 0", page)
        calendars = ""
        for name in os.listdir(self.path("uniWeek")):
            with open(os.path.join(self.path("uniWeek"), name), encoding="utf-8") as file:
                calendars += file.read()
        self.assertIn("DURATION:PT45M", calendars)
        self.assertRegex(calendars, r"DTSTART;TZID=UTC:2026100[56]T(081500|091500|140000)")

        results = []
        for name in files.values():
            status, output, errors = commandLine.run("score", folder, name, "--explain")
            self.assertEqual(status, 0, errors)
            results.append(output)
            status, output, errors = commandLine.run("explain", folder, name)
            self.assertEqual(status, 0, errors)
            status, output, errors = commandLine.run("solve", folder, "--start", name, "--iterations", "1")
            self.assertEqual(status, 0, errors)
            self.assertIn("0 of 5 lectures moved\n", output)
            status, output, errors = commandLine.run("solve", folder, "--pin", name, "--iterations", "1", "--csv", self.path("pinned.csv"))
            self.assertEqual(status, 0, errors)
            with open(self.path("pinned.csv"), encoding="utf-8", newline="") as file:
                self.assertEqual(list(csv.DictReader(file)), table)
        self.assertEqual(len(set(results)), 1)
        self.assertIn("feasible", results[0])

    def testATableThatPeopleHaveChangedIsToldWithItsLine(self):
        folder = self.folderWith("changed")
        for rows, part in [("ANA,Monday,1st,R 9\n", "column 'room': expected a room of this instance, found 'R 9'"),
                           ("ANA,Friday,1st,R2\n", "column 'day': expected a day of days.csv, found 'Friday'"),
                           ("ALG,Monday,1st,R2\n", "column 'course': expected a course of this instance, found 'ALG'"),
                           ("ANA,Monday,11:11,R2\n", "column 'period': expected a period of periods.csv")]:
            status, _, errors = commandLine.run("score", folder, self.make("edited.csv", "course,day,period,room\n" + rows))
            self.assertEqual(status, 2, errors)
            self.assertIn("edited.csv:2: " + part, errors)
        for text in ["{", '{"lectures": [{]}', '{"other": []}', "[" * 100000, '{"a":' * 100000]:
            status, _, errors = commandLine.run("score", folder, self.make("edited.json", text))
            self.assertEqual(status, 2, errors)
            self.assertIn("edited.json", errors)

    @commandLine.everywhere
    def testWhatIsLeftOutOfATimetableOrOfWeightsIsTold(self):
        folder = self.folderWith("leftOut", courses="course,teacher,lectures,students\nANA,Rossi,2,30\n", curricula="curriculum,course\nM1,ANA\n", closed=None)
        table = self.make("noRoom.csv", "course,day,period,raum\nANA,Monday,1st,R 1\nANA,Tuesday,1st,R 1\n")
        note = f"timetabling: note: {table}:1: column 'raum' is left out; the columns course, day, period and optionally room, left_out, teacher, curricula count"
        for option in ["--pin", "--start"]:
            status, _, errors = commandLine.run("solve", folder, option, table, "--iterations", "1")
            self.assertEqual(status, 0, errors)
            self.assertIn(note, commandLine.ownLines(errors))
        twice = self.make("twice.csv", "course,day,period,room\nANA,Monday,1st,R 1\nANA,Monday,1st,R2\nANA,Tuesday,1st,R 1\n")
        lines = self.make("twice.sol", "ANA R_1 0 0\nANA R2 0 0\nANA R_1 1 0\n")
        for name in [twice, lines]:
            status, _, errors = commandLine.run("score", folder, name)
            self.assertEqual(status, 0, errors)
            self.assertIn(f"timetabling: note: {name}: 1 lecture in a period that has a lecture of the same course already, and left out "
                          "(ANA on Monday 1st (08:15-09:00))", "\n".join(commandLine.ownLines(errors)))
        weights = self.make("weights.csv", "constraint,weight,remark\nRoomStability,1,fewer rooms\n")
        status, output, errors = commandLine.run("solve", folder, "--weights", weights, "--iterations", "1")
        self.assertEqual(status, 0, errors)
        self.assertIn(f"timetabling: note: {weights}:1: column 'remark' is left out; the columns constraint, weight count", commandLine.ownLines(errors))
        week = self.folderWith("twoWeeks", week="name,days,periods,days_per_week\nUni,4,3,2\n", days=None, periods=None, closed=None,
                               courses="course,teacher,lectures,students\nANA,Rossi,2,30\n", curricula="curriculum,course\nM1,ANA\n")
        status, _, errors = commandLine.run("convert", week, self.path("twoWeeks.ctt"))
        self.assertEqual(status, 0, errors)
        self.assertIn("where the days are in calendars, are left out", errors)

    @commandLine.everywhere
    def testWhatAPublishedTimetableLacksIsTold(self):
        folder = self.folderWith("lacks", courses="course,teacher,lectures,students\nANA,Rossi,2,30\nNEW,Weber,1,20\n", curricula="curriculum,course\nM1,ANA\n", closed=None)
        whole = "course,day,period,room\nANA,Monday,1st,R 1\nANA,Tuesday,1st,R 1\nNEW,Monday,Late,R2\n"
        for text, part in [(whole.replace("NEW,Monday,Late,R2\n", ""), "1 of 3 lectures have no place there, so any place is right for them"),
                           (whole.replace("R2", ""), "1 lecture without a room, so moved wherever it is; a table without rooms is for --pin")]:
            table = self.make("published.csv", text)
            for arguments in [["solve", folder, "--start", table], ["repair", table, "--instance", folder]]:
                status, _, errors = commandLine.run(*arguments, "--iterations", "1")
                self.assertEqual(status, 0, errors)
                self.assertIn(f"{table}: {part}", errors)
        status, output, errors = commandLine.run("score", folder, self.make("nothing.sol", ""))
        self.assertEqual(status, 1, errors)
        self.assertIn("nothing.sol: the file has no lectures", errors)

    def testFilesInThePlaceOfOthersAreRecognised(self):
        folder = self.folderWith("others")
        timetable = self.make("others.sol", "ANA R2 0 0\n")
        utf16 = os.path.join(self.path("others"), "..", "utf16.sol")
        with open(utf16, "wb") as file:
            file.write("ANA R2 0 0\r\nANA R2 1 0\r\n".encode("utf-16"))
        status, output, errors = commandLine.run("score", folder, utf16)
        self.assertEqual(status, 1, errors)
        self.assertIn("\nLectures               violations 3\n", "\n" + output)
        for arguments, part in [(["check", os.path.join(folder, "courses.csv")], "found one table; give the folder that has the tables"),
                                (["check", timetable], "the file looks like a timetable, not like an instance"),
                                (["check", self.make("other.xml", "<?xml version='1.0'?>\n<fet/>\n")], "other.xml"),
                                (["solve", folder, "--csv", self.path("table.xlsx")], "--csv: expected a name that ends in .csv"),
                                (["repair", timetable, "--instance", folder, "--front", self.path("front.ods")], "--front: expected a name that ends in .csv"),
                                (["score", folder, self.make("typo.csv", "course,day,period,room\nANA,Mon,1st,R2\n")], "found 'Mon'; did you mean 'Monday'?"),
                                (["score", folder, self.make("typo2.csv", "course,day,period,room\nAMA,Monday,1st,R2\n")], "found 'AMA'; did you mean 'ANA'?")]:
            status, output, errors = commandLine.run(*arguments)
            self.assertEqual((status, output), (2, ""), errors)
            self.assertIn(part, errors)

    def testAWeightThatCountsNothingIsTold(self):
        folder = self.folderWith("nothing")
        weights = self.make("nothing.weights.csv", "constraint,weight\nTeacherDays,2\nLectureOrder,1\nTeacherLunch,0\n")
        status, output, errors = commandLine.run("check", folder, "--weights", weights)
        self.assertEqual(status, 0, errors)
        self.assertIn("note: TeacherDays counts nothing, since the instance has no limits of teachers: teachers.csv is for them\n", output)
        self.assertIn("note: LectureOrder counts nothing, since the instance has no orders of courses: order.csv is for them\n", output)
        self.assertNotIn("TeacherLunch", output)

    def testMistypedCommandsAndOptionsAreGuessed(self):
        for arguments, part in [(["sovle", self.good], "did you mean 'solve'?"), (["solve", self.good, "--front", "x.csv"], "; '--front' is an option of 'repair'"), (["solve", self.good, "--tiem", "3"], "did you mean '--time'?")]:
            status, output, errors = commandLine.run(*arguments)
            self.assertEqual((status, output, len(commandLine.ownLines(errors))), (2, "", 1), errors)
            self.assertIn(part, errors)
        status, output, _ = commandLine.run("--version")
        self.assertEqual(status, 0)
        self.assertRegex(output, r"^timetabling, Ferry \d+\.\d+")

    def testEverythingThatIsWrongIsToldAtOnce(self):
        folder = self.folderWith("wrong", curriculum="curriculum,course\n", rooms="room,seats\nA,many\nB,-1\n", curricula=None)
        status, output, errors = commandLine.run("check", folder)
        self.assertEqual((status, output), (2, ""))
        lines = errors.splitlines()
        self.assertEqual(len(lines), 3, errors)
        self.assertTrue(all(line.startswith("timetabling: ") for line in lines), errors)
        self.assertIn("did you mean 'curricula.csv'?", errors)

    def testWhatDoesNotCountIsTold(self):
        folder = self.folderWith("uncounted", unsuitable="course,room\nANA,R2\n")
        note = "unsuitable.csv, allowed.csv and needs of courses.csv: 1 unsuitable room, which UD2 does not count; UD3 and UD4 do"
        status, output, _ = commandLine.run("check", folder)
        self.assertEqual(status, 0)
        self.assertIn(f"note: {note}\n", output)
        status, output, errors = commandLine.run("solve", folder, "--iterations", "1", "--html", self.path("uncounted.html"))
        self.assertEqual(status, 0, errors)
        self.assertIn(f"timetabling: note: {note}\n", errors)
        with open(self.path("uncounted.html"), encoding="utf-8") as file:
            self.assertIn(note, file.read())
        weights = self.make("weights.csv", "constraint,weight\nRoomSuitability,hard\nRoomStability,1\nRoomCapacity,1\n")
        status, output, errors = commandLine.run("solve", folder, "--weights", weights, "--iterations", "1", "--csv", self.path("weighted.csv"))
        self.assertEqual((status, commandLine.ownLines(errors)), (0, []))
        self.assertIn("Uni (own weights)", output)
        with open(self.path("weighted.csv"), encoding="utf-8", newline="") as file:
            self.assertNotIn("R2", [row["room"] for row in csv.DictReader(file) if row["course"] == "ANA"])

    def testRulesOfTeachersAreSearchedAndShown(self):
        folder = self.folderWith("teachers", teachers="teacher,max_days\nRossi,1\n", order="before,after\nANA,Linear Algebra I\n", closed=None)
        names = ["TeacherDays", "TeacherGaps", "LectureOrder"]
        weights = self.make("teachers.weights.csv", "constraint,weight\n" + "".join(f"{name},5\n" for name in names))
        page = self.path("teachers.html")
        status, output, errors = commandLine.run("solve", folder, "--weights", weights, "--iterations", "3", "--html", page, "--out", self.path("teachers.sol"))
        self.assertEqual(status, 0, errors)
        for name in names:
            self.assertRegex(output, rf"\n{name} +cost +\d+\n")
        with open(page, encoding="utf-8") as file:
            self.assertIn("TeacherDays", file.read())
        status, output, _ = commandLine.run("check", folder)
        self.assertIn("teachers.csv: 1 teacher with limits, which UD2 does not count; a table of --weights with TeacherDays", output)
        status, _, errors = commandLine.run("convert", folder, self.path("teachers.ctt"))
        self.assertEqual(status, 2)
        self.assertIn("limits of teachers", errors)
        wrong = self.make("wrong.weights.csv", "constraint,weight\nTeacherHours,5\n")
        status, _, errors = commandLine.run("score", folder, self.path("teachers.sol"), "--weights", wrong)
        self.assertEqual(status, 2)
        self.assertIn("expected a soft constraint (RoomCapacity, ", errors)
        self.assertIn("StudentClashes), found 'TeacherHours'", errors)

    def testClosedRoomsAndManyTeachersAreNotLostByConverting(self):
        folder = self.folderWith("full")
        status, _, errors = commandLine.run("convert", folder, self.path("copied"))
        self.assertEqual(status, 0, errors)
        for name, part in [("lost.ctt", "rooms that are closed at times"), ("lost.xml", "expected a name that ends in .ctt or .ectt")]:
            status, _, errors = commandLine.run("convert", folder, self.path(name))
            self.assertEqual(status, 2)
            self.assertIn(part, errors)
        self.assertEqual(commandLine.run("check", folder)[1], commandLine.run("check", self.path("copied"))[1])
        status, _, errors = commandLine.run("convert", self.good, self.path("copied"))
        self.assertEqual(status, 2)
        self.assertIn("copied: expected a folder without tables of another instance, found days.csv, periods.csv; take these files away", errors)
        self.assertEqual(commandLine.run("check", folder)[1], commandLine.run("check", self.path("copied"))[1])


class Repair(commandLine.TestWithInstance):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.published = os.path.join(cls.folder.name, "published.sol")
        status, _, errors = commandLine.run("solve", cls.good, "--iterations", "1", "--target", "100000", "--out", cls.published)
        assert status == 0, errors

    def disrupted(self, name, *options):
        status, output, errors = commandLine.run("disrupt", self.good, "--out", self.path(name), *options)
        self.assertEqual(status, 0, errors)
        return self.path(name), output

    @commandLine.everywhere
    def testTheFewestMovesAreProven(self):
        changed, output = self.disrupted("lecture.ctt", "--kind", "lecture", "--count", "5", "--seed", "3", "--published", self.published)
        self.assertEqual(output.count(" is closed to course "), 5)
        contents = []
        for _ in range(2):
            status, output, errors = commandLine.run("repair", self.published, "--instance", changed, "--iterations", "2", "--out", self.path("again.sol"),
                                                     "--json", self.path("again.json"))
            self.assertEqual(status, 0, errors)
            with open(self.path("again.sol"), encoding="utf-8") as file:
                contents.append(file.read())
        self.assertEqual(contents[0], contents[1])
        moved = int(re.search(r"^(\d+) of \d+ lectures moved", output, re.MULTILINE).group(1))
        self.assertIn(f"fewest moves: {moved}; fewer are impossible\n", output)
        self.assertRegex(output, r"\ntouched: \d+ courses?, \d+ teachers?, ")
        with open(self.path("again.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual((report["movedCount"], report["leastMoves"], report["isLeastProven"]), (moved, moved, True))
        self.assertEqual(commandLine.run("score", changed, self.path("again.sol"))[0], 0)

        status, output, errors = commandLine.run("repair", self.published, "--instance", changed, "--at-most", str(moved + 6), "--iterations", "2", "--csv", self.path("more.csv"))
        self.assertEqual(status, 0, errors)
        self.assertLessEqual(int(re.search(r"^(\d+) of \d+ lectures moved", output, re.MULTILINE).group(1)), moved + 6)
        self.assertLessEqual(int(re.search(r"^feasible, cost (\d+)", output, re.MULTILINE).group(1)), report["cost"])
        status, output, errors = commandLine.run("repair", self.published, "--instance", changed, "--at-most", str(moved - 1), "--iterations", "1")
        self.assertEqual(status, 1, errors)
        self.assertIn(f"at most {moved - 1} move{'s' * (moved != 2)} cannot be: at least {moved} moves needed\n", output)

    def testTheFrontFallsWithTheMoves(self):
        changed, _ = self.disrupted("rooms.ctt", "--kind", "largest-room", "--seed", "3")
        for name in ["front.csv", "front.json"]:
            status, output, errors = commandLine.run("repair", self.published, "--instance", changed, "--iterations", "1", "--front", self.path(name))
            self.assertEqual(status, 0, errors)
        with open(self.path("front.csv"), encoding="utf-8", newline="") as file:
            front = [(int(row["moved"]), int(row["cost"])) for row in csv.DictReader(file)]
        with open(self.path("front.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual([(point["moved"], point["cost"]) for point in report["front"]], front)
        self.assertGreater(len(front), 2)
        self.assertIn(f"least cost found for each number of moves from {front[0][0]} to {front[-1][0]}: {self.path('front.json')}; --at-most gives", output)
        self.assertEqual(front, sorted(set(front)))
        self.assertEqual([cost for _, cost in front], sorted((cost for _, cost in front), reverse=True))
        self.assertGreaterEqual(front[0][0], report["leastMoves"])

    def testDisruptionsAreRepeatableAndOfEveryKind(self):
        for kind in ["lecture", "period", "room", "largest-room", "room-day", "teacher-day", "curriculum"]:
            texts = []
            for name in ["first", "second"]:
                target = name if kind == "room-day" else f"{name}.ectt"
                changed, output = self.disrupted(target, "--kind", kind, "--count", "2", "--seed", "5", "--published", self.published)
                self.assertEqual(len(output.splitlines()), 2, output)
                texts.append(output)
                status, output, errors = commandLine.run("check", changed)
                self.assertIn(status, [0, 1], errors)
            self.assertEqual(texts[0], texts[1])
        for options, part in [(["--kind", "lecture"], "expected --published"), (["--kind", "flood"], "expected lecture, period"),
                              (["--kind", "room", "--count", "14"], "expected at most 13 rooms")]:
            status, _, errors = commandLine.run("disrupt", self.good, "--out", self.path("no.ctt"), *options)
            self.assertEqual(status, 2)
            self.assertIn(part, errors)


if __name__ == "__main__":
    commandLine.main(__doc__)
