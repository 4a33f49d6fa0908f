#!/usr/bin/env python3
"""Looks at the pages of timetables in headless Chromium, driven by Playwright.

usage: pagesInBrowserTest.py --program PROGRAM --instance FILE --venv FOLDER [--screenshots FOLDER] [options of unittest]

Where there is no Chromium, or Playwright cannot be had, it says so and ends with status 77.
"""
import argparse
import os
import re
import signal
import socket
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support", "browser"))
import browserTests    # noqa: E402 (the path comes first)
from browserTests import NARROW, WIDE    # noqa: E402
from launching import Launch, run    # noqa: E402

LONG_NAME = "long" * 60
# Blanks separate the words of an instance. So only the name of the instance itself can contain blanks.
HOSTILE = {
    "name": "</title><script>alert('name')</script> & <b>bold</b>",
    "course": "<img/src=x/onerror=alert('course')>",
    "teacher": "\"onmouseover=\"alert('teacher')",
    "room": "javascript:alert('room')",
    "curriculum": "</script><script>alert('curriculum')</script>",
}
options = None


def execute(*arguments):
    """Runs the program. The timetable may be infeasible."""
    result = run([options.program, *arguments])
    assert result.returncode in (0, 1), result.stderr
    return result.stdout


def hostileText():
    name, course, teacher, room, curriculum = HOSTILE.values()
    return (f"Name: {name}\nCourses: 3\nRooms: 3\nDays: 3\nPeriods_per_day: 2\nCurricula: 2\nConstraints: 0\n"
            f"COURSES:\n{course} {teacher} 2 1 9\n{LONG_NAME} {teacher} 1 1 9\n\u202eevil x/../y 1 1 9\n"
            f"ROOMS:\n{room} 5\n../../up 9\n{LONG_NAME} 9\nCURRICULA:\n{curriculum} 2 {course} {LONG_NAME}\nA 1 {course}\n"
            "UNAVAILABILITY_CONSTRAINTS:\nEND.\n")


class PagesInBrowser(browserTests.BrowserTest):
    @classmethod
    def setUpClass(cls):
        cls.enterClassContext(cls.makeFolder())
        super().setUpClass()

    @classmethod
    def makeFolder(cls):
        """Makes the timetables of all tests: a good one, also with dates and with names of days, one with half of its lectures misplaced, one with hostile names, and events."""
        folder = tempfile.TemporaryDirectory(prefix="ferryPages")
        cls.root = folder.name
        execute("solve", options.instance, "--iterations", "1", "--out", cls.at("good.sol"), "--html", cls.at("good"), "--ferry-slaves", "1")
        with open(cls.at("good.sol"), encoding="utf-8") as file:
            lectures = [line.split() for line in file]
        cls.published = [list(lecture) for lecture in lectures]
        execute("explain", options.instance, cls.at("good.sol"), "--html", cls.at("dated"), "--first-day", "2026-10-05", "--weeks", "15",
                "--off", "2026-12-21..2027-01-06")
        execute("convert", options.instance, cls.at("germanTables"))
        cls.write("germanTables/days.csv", "day\nMontag\nDienstag\nMittwoch\nDonnerstag\nFreitag\n")
        execute("explain", cls.at("germanTables"), cls.at("good.sol"), "--html", cls.at("german"))
        for lecture in lectures[::9]:
            lecture[2:] = ["0", "1"]
        cls.write("bad.sol", "".join(" ".join(lecture) + "\n" for lecture in lectures))
        cls.told = execute("explain", options.instance, cls.at("bad.sol"), "--html", cls.at("bad"))
        execute("explain", options.instance, cls.at("bad.sol"), "--html", cls.at("bad.html"))
        cls.lectures = lectures
        cls.write("hostile.ctt", hostileText())
        course, room = HOSTILE["course"], HOSTILE["room"]
        cls.write("hostile.sol", f"{course} {room} 0 0\n{course} ../../up 0 1\n{LONG_NAME} {room} 0 0\n\u202eevil {LONG_NAME} 1 1\n")
        execute("explain", cls.at("hostile.ctt"), cls.at("hostile.sol"), "--html", cls.at("hostile"))
        execute("explain", cls.at("hostile.ctt"), cls.at("hostile.sol"), "--html", cls.at("hostile.html"))
        execute("generate", "--enrolment", "--events", "40", "--rooms", "3", "--students", "30", "--out", cls.at("events.tim"))
        cls.write("events.sln", "".join(f"{event % 9} {event % 3}\n" for event in range(39)) + "-1 -1\n")
        execute("explain", cls.at("events.tim"), cls.at("events.sln"), "--html", cls.at("events"))
        return folder

    @classmethod
    def at(cls, name):
        return os.path.join(cls.root, name)

    @classmethod
    def write(cls, name, text):
        with open(cls.at(name), "w", encoding="utf-8") as file:
            file.write(text)

    def setUp(self):
        super().setUp()
        self.allowed = f"file://{self.root}/"

    def show(self, path, fragment=""):
        """Opens one file. The page must not read any other file."""
        self.requests.clear()
        self.page.goto("about:blank")
        self.requests.clear()
        self.page.goto(f"file://{self.at(path)}{fragment}")
        self.assertEqual(len(self.requests), 1, self.requests)
        return self.page

    def awaitState(self, pattern):
        self.awaitThat(lambda: re.search(pattern, self.page.locator("#state").inner_text()), f"the state does not become {pattern}")

    def keepPicture(self, name):
        if options.screenshots:
            self.page.screenshot(path=os.path.join(options.screenshots, name + ".png"), full_page=True)

    def expectFits(self, what):
        excess = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.assertLessEqual(excess, 0, what)

    def texts(self, selector):
        return [text.strip() for text in self.page.locator(selector).all_inner_texts()]

    def testTheIndexTellsTheScoreAndWhatIsWrong(self):
        page = self.show("bad/index.html")
        self.keepPicture("index")
        self.assertEqual(page.locator("html").get_attribute("lang"), "en")
        self.assertEqual(self.texts("header .verdict"), [self.told.splitlines()[-1]])
        for constraint, amount in re.findall(r"^(\w+) \((?:hard|soft)\): (\d+)$", self.told, re.MULTILINE):
            row = page.locator("#score tr", has=page.get_by_role("rowheader", name=constraint, exact=True))
            self.assertEqual(row.locator("td").last.inner_text(), amount)
        told = re.findall(r"^  (?!.*: violations \d+, cost \d+$)(.*)$", self.told, re.MULTILINE)
        self.assertEqual(sorted(self.texts("#wrong li")), sorted(told))
        files = os.listdir(self.at("bad"))
        for kind in ("room", "teacher", "curriculum"):
            links = page.locator(f"#{kind} tbody th a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
            self.assertEqual(sorted(links), sorted(name for name in files if name.startswith(kind + "-")))

    def testTheFilterOfTheIndexShowsWhatMatchesAlone(self):
        page = self.show("bad/index.html")
        rows = page.locator("tr[data-filter]")
        everything = rows.all_inner_texts()
        for words in ("LAW-10", "law-10 a.", "Adams", "no such thing"):
            page.fill("#filter", words)
            shown = [text for text, row in zip(everything, rows.all()) if row.is_visible()]
            # Hidden elements have no inner text, so the comparison uses the texts from before.
            expected = [text for text in everything if all(word.lower() in text.lower() for word in words.split())]
            self.assertEqual(shown, expected, words)
            self.assertEqual(self.texts("#matching"), [f"{len(expected)} of {len(everything)} shown"])
            groups = page.locator("section[data-group]")
            self.assertEqual([group.is_visible() for group in groups.all()],
                             [group.locator("tr[data-filter]:not([hidden])").count() > 0 for group in groups.all()])
            self.keepPicture(f"filtered {words}")
        page.fill("#filter", "")
        self.assertTrue(all(row.is_visible() for row in rows.all()))

    def testAPageOfEachKindShowsItsWeek(self):
        course, room, day, period = self.lectures[0]
        page = self.show(f"bad/room-{room}.html")
        self.assertEqual(self.texts("h1"), [f"Room {room}"])
        cell = page.locator("table.week tbody tr").nth(int(period)).locator("td").nth(int(day))
        self.assertIn(course, cell.locator(".name").all_inner_texts())
        self.assertEqual(page.locator(".lecture").count(), sum(lecture[1] == room for lecture in self.lectures))
        self.keepPicture("room")
        cell.locator(".lecture", has_text=course).locator(".detail a").first.click()
        self.assertRegex(self.texts("h1")[0], "^Teacher ")
        self.assertIn(course, page.locator(".lecture .name").all_inner_texts())
        self.keepPicture("teacher")
        page.click("nav a:has-text('Overview')")
        page.click("#curriculum tbody a >> nth=0")
        self.assertRegex(self.texts("h1")[0], "^Curriculum ")
        self.keepPicture("curriculum")
        page.click("nav a[rel=next]")
        self.assertEqual(page.locator("nav a[rel=prev]").count(), 1)

    def testWhatIsWrongIsMarkedAndExplained(self):
        page = self.show(f"bad/room-{self.lectures[0][1]}.html")
        told = self.texts("ol.remarks li")
        self.assertGreater(len(told), 0)
        for lecture in page.locator(".lecture").all():
            numbers = [int(text) for text in lecture.locator(".mark a").all_inner_texts()]
            title = lecture.get_attribute("title")
            self.assertEqual(bool(numbers), title is not None)
            if numbers:
                self.assertTrue(set(lecture.get_attribute("class").split()) & {"hard", "soft"})
            for number, text in zip(numbers, (title or "").split("\n")):
                self.assertIn(text, told[number - 1])
        page.locator(".lecture.hard .mark a").first.click()
        self.assertEqual(page.locator("li:target").count(), 1)

    def testTheFilterOfAPageDimsTheOthers(self):
        course, room = self.lectures[0][:2]
        page = self.show(f"bad/room-{room}.html")
        page.fill("#filter", course.lower())
        for lecture in page.locator(".lecture").all():
            isDim = float(lecture.evaluate("part => getComputedStyle(part).opacity")) < 0.5
            self.assertEqual(isDim, course not in lecture.inner_text())
        self.keepPicture("dimmed")
        page.fill("#filter", "")
        self.assertEqual(page.locator(".dim").count(), 0)

    def testEveryPageOpensAndFits(self):
        for folder in ("good", "bad", "hostile", "events"):
            for name in sorted(os.listdir(self.at(folder)))[::1 if folder in ("hostile", "events") else 12]:
                for size in (WIDE, NARROW):
                    self.page.set_viewport_size(size)
                    self.show(os.path.join(folder, name))
                    self.expectFits(f"{folder}/{name} in {size}")
                    self.assertEqual(self.page.locator("h1").count(), 1)
                    if folder == "hostile":
                        self.keepPicture(f"hostile {name[:20]} {size['width']}")

    def testNamesDoNotBecomeCode(self):
        page = self.show("hostile/index.html")
        self.assertEqual(self.texts("h1"), ["Timetable " + HOSTILE["name"]])
        for kind in ("room", "curriculum", "teacher"):
            self.assertIn(HOSTILE[kind], self.texts(f"#{kind} tbody th"))
        self.assertIn(HOSTILE["course"], self.texts("#items tbody th"))
        for path in [os.path.join("hostile", name) for name in os.listdir(self.at("hostile"))] + ["hostile.html"]:
            self.show(path)
            self.assertEqual(page.locator("img, iframe, object, embed, link, b:has-text('bold')").count(), 0)
            self.assertEqual(page.locator("script").count(), 1)
            handlers = "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes]).filter(a => a.name.startsWith('on')).length"
            self.assertEqual(page.evaluate(handlers), 0)
            for lecture in page.locator(".lecture").all():
                lecture.hover()
            links = page.locator("a").evaluate_all("links => links.map(link => link.href)")
            self.assertEqual([link for link in links if not link.startswith("file://" + self.root + "/hostile")], [])
            page.locator("#filter").fill("<img src=x onerror=alert(1)>")

    def testThePolicyStopsWhatIsNotOurs(self):
        """The second line of defence: if a name were not escaped, its script still would not run, and nothing would be requested."""
        page = self.show("good/index.html")
        with socket.create_server(("127.0.0.1", 0)) as listener:
            url = f"http://127.0.0.1:{listener.getsockname()[1]}/x"
            page.evaluate(f"document.body.insertAdjacentHTML('beforeend', `<img src='{url}' onerror='alert(1)'>`)")
            for stopped in ("Loading the image", "inline event handler"):
                self.awaitThat(lambda: any(stopped in what for what in self.mischief), f"{stopped} is not stopped: {self.mischief}")
            listener.setblocking(False)
            with self.assertRaises(BlockingIOError):
                listener.accept()
        self.assertEqual([what for what in self.mischief if "Content Security Policy" not in what], [])
        self.mischief.clear()
        self.requests.remove(url)    # Playwright reports the request before it is blocked

    def testPrintedPagesAreGridsWithoutControls(self):
        page = self.show(f"bad/room-{self.lectures[0][1]}.html")
        page.fill("#filter", "no such thing")
        page.emulate_media(media="print")
        self.keepPicture("print")
        self.assertFalse(page.locator("nav").is_visible())
        self.assertFalse(page.locator("#filter").is_visible())
        style = "(part, name) => getComputedStyle(part)[name]"
        for lecture in page.locator(".lecture").all():
            self.assertEqual(lecture.evaluate(style, "opacity"), "1")
        borders = [page.locator(selector).first.evaluate(style, "borderTopStyle") for selector in
                   (".lecture.hard", ".lecture.soft", ".lecture:not(.hard):not(.soft)")]
        self.assertEqual(borders, ["double", "dashed", "solid"])
        self.assertEqual(page.locator(".lecture .detail a").first.evaluate(style, "textDecorationLine"), "none")
        for path, isWide in ((f"bad/room-{self.lectures[0][1]}.html", True), ("bad/index.html", False)):
            boxes = re.findall(rb"/MediaBox \[([^\]]*)\]", self.show(path).pdf(prefer_css_page_size=True))
            sizes = {tuple(round(float(number)) for number in box.split()[2:]) for box in boxes}
            self.assertEqual(sizes, {(842, 595)} if isWide else {(595, 842)})

    def testAStudentFindsTheOwnWeek(self):
        page = self.show("events/students.html", "#7")
        with open(self.at("events.tim"), encoding="ascii") as file:
            numbers = [int(word) for word in file.read().split()]
        events, rooms = numbers[:2]
        attends = numbers[4 + rooms + 7 * events:4 + rooms + 8 * events]
        own = [event for event in range(events) if attends[event]]
        self.assertEqual(sorted(self.texts(".lecture .name")), sorted(f"Event {event}" for event in own if event < 39))
        for event in filter(lambda event: event < 39, own):
            cell = page.locator("table.week tbody tr").nth(event % 9).locator("td").nth(0)
            self.assertIn(f"Event {event}", cell.locator(".name").all_inner_texts())
        self.assertGreater(page.locator("#week li").count(), 0)
        self.keepPicture("student")
        for number, told in (("29", "student 29"), ("30", "there is no such student"), ("-1", "there is no such student"), ("", ""),
                             ("__proto__", "there is no such student"), ("length", "there is no such student")):
            page.fill("#student", number)
            self.assertEqual(self.texts("#found"), [told])
            self.assertEqual(page.locator("table.week").count(), 1 if told.startswith("student") else 0)
        page.fill("#student", "7")
        page.locator(".lecture a").first.click()
        self.assertRegex(self.texts("h1")[0], "^Room ")

    def testTheOnePageHasEverything(self):
        page = self.show("bad.html")
        self.assertEqual(page.locator("section.weekSection").count(), len(os.listdir(self.at("bad"))) - 1)
        page.click("#teacher tbody a >> nth=3")
        self.assertEqual(page.locator("section:target h2").first.inner_text(), "Teacher " + self.texts("#teacher tbody th")[3])
        page.fill("#filter", self.lectures[0][0])
        self.assertGreater(page.locator(".lecture.dim").count(), 0)
        self.assertGreater(page.locator(".lecture:not(.dim)").count(), 0)

    def serve(self, *arguments):
        """Starts a search with pages, and returns it. Only its pages may be asked."""
        search = Launch([options.program, "solve", *arguments, "--serve", "0", "--ferry-slaves", "2"], 250)
        self.addCleanup(search.kill)
        self.allowed = search.awaitLine(r"http://127\.0\.0\.1:\d+/[0-9a-f]+/")[0].group()
        return search

    def testASearchIsShownWhileItRuns(self):
        search = self.serve(options.instance, "--time", "1000")
        page = self.page
        page.goto(self.allowed + "search.html")
        self.awaitState("feasible, cost")
        for rank in "12":    # the long annealings have begun
            page.locator(f"#slaves tr:nth-child({rank}) td:nth-child(2)", has_text="a new timetable").wait_for()
        self.assertEqual(page.locator("#slaves tr").count(), 2)
        self.assertEqual(page.locator("svg polyline").count(), 1)
        self.expectFits("the live page")
        self.keepPicture("live")
        # The page refreshes itself.
        before = self.texts("#state")[0].split(" ")[0]
        self.awaitState(f"^(?!{before} )")
        page.click("text=The best timetable so far")
        self.assertEqual(self.texts("h1"), ["Timetable Faculty-80-2007"])
        self.assertRegex(self.texts("header .verdict")[0], r"^feasible, cost \d+$")
        page.goto(self.allowed + "search.html")
        self.awaitState("feasible, cost")
        search.signal(signal.SIGINT)
        search.finish()
        self.awaitState("^the program has ended")
        self.assertTrue(all("ERR_CONNECTION_REFUSED" in what for what in self.mischief), self.mischief)
        self.mischief.clear()

    def cost(self):
        return int(re.search(r"cost (\d+)", self.texts("header .verdict")[0]).group(1))

    def awaitTold(self, pattern):
        self.awaitThat(lambda: re.search(pattern, self.page.locator("#deskTold").inner_text()), f"the page does not tell {pattern}")

    def testALectureIsMovedInThePage(self):
        search = self.serve(options.instance, "--iterations", "2")
        search.awaitLine("the page stays")
        page = self.page
        page.goto(self.allowed)
        before = self.cost()
        page.locator("#map tbody a[data-course]").nth(40).click()
        page.locator("#choice h3").wait_for()
        self.assertGreater(page.locator("#map td > button").count(), 10)
        for size in (WIDE, NARROW):
            page.set_viewport_size(size)
            self.expectFits("the places of a lecture")
            self.keepPicture(f"places {size['width']}")
        page.set_viewport_size(WIDE)
        first = page.locator("#choice ul li").first
        change = int(re.search(r"cost \+?(-?\d+)", first.inner_text()).group(1))
        self.assertNotIn("violations", first.inner_text())
        first.locator("button").first.click()
        self.awaitTold("->")
        self.assertEqual(self.cost(), before + change)
        page.click("#undo")
        self.awaitTold("undone")
        self.assertEqual(self.cost(), before)
        # A room is closed, the rest is solved again, and the result taken over.
        page.select_option("#closeRoom", "0")
        page.click("#close")
        self.awaitTold("closed: room")
        self.assertRegex(self.texts("header .verdict")[0], "^infeasible: ")
        page.fill("#seconds", "2")
        page.click("#solve")
        page.locator("#proposal h3").wait_for()
        self.keepPicture("proposal")
        page.click("text=Take over")
        self.awaitTold("taken over")
        self.assertRegex(self.texts("header .verdict")[0], "^feasible, ")
        self.assertEqual(page.locator("#map tbody tr").first.locator("a[data-course]").count(), 0)
        page.click("#end")
        search.finish()
        self.awaitTold("the program has ended")
        self.assertTrue(all("ERR_CONNECTION_REFUSED" in what for what in self.mischief), self.mischief)
        self.mischief.clear()

    def testAnEventIsLeftOutAndPutBackInThePage(self):
        search = self.serve(self.at("events.tim"), "--iterations", "1")
        search.awaitLine("the page stays")
        page = self.page
        page.goto(self.allowed)
        before = self.cost()
        link = page.locator("#map tbody a[data-course]").nth(7)
        name = link.inner_text()
        link.click()
        page.locator("#choice h3").wait_for()
        page.click("text=Leave out")
        self.awaitTold("-> left out")
        self.assertEqual(self.texts("#changes li"), [f"left out: {name.lower()} Show places"])
        page.click("text=Show places")
        page.locator("#choice h3").wait_for()
        for size in (WIDE, NARROW):
            page.set_viewport_size(size)
            self.expectFits("the places of an event that is left out")
            self.keepPicture(f"left out {size['width']}")
        page.set_viewport_size(WIDE)
        self.assertEqual(page.locator("#choice .line button").all_inner_texts(), ["Leave"])
        first = page.locator("#choice ul li").first
        change = int(re.search(r"cost \+?(-?\d+)", first.inner_text()).group(1))
        without = self.cost()
        first.locator("button").click()
        self.awaitTold("left out ->")
        self.assertEqual(self.cost(), without + change)
        self.assertEqual(page.locator("#changes li").count(), 0)
        self.assertLessEqual(self.cost(), before)    # the cheapest place
        page.click("#end")
        search.finish()
        self.awaitTold("the program has ended")
        self.assertTrue(all("ERR_CONNECTION_REFUSED" in what for what in self.mischief), self.mischief)
        self.mischief.clear()

    def testTheFirstScreenShowsTheWeekOfToday(self):
        page = self.page
        for now, told, marked in [
                ("2026-11-26T10:00:00", "Today is Thursday, 26 November 2026, week 8 of 15.", ["Day 3"]),
                ("2026-11-28T10:00:00", "Today is Saturday, 28 November 2026, week 8 of 15, no day of the timetable.", []),
                ("2026-12-24T10:00:00", "Today is Thursday, 24 December 2026, week 12 of 15, a day off.", []),
                ("2026-09-30T23:59:00", "The term begins on Monday, 5 October 2026. Today is Wednesday, 30 September 2026. "
                                        "The days below are those of the first week.", []),
                ("2027-02-01T00:00:00", "The term ended on Friday, 15 January 2027. Today is Monday, 1 February 2027. "
                                        "The days below are those of the last week.", [])]:
            page.clock.set_fixed_time(now)
            self.show("dated/index.html")
            self.assertEqual(self.texts("#today"), [told])
            self.assertEqual(self.texts(".weekdays [aria-current] a"), marked)
            self.assertEqual(page.locator("#map thead [aria-current]").count(), len(marked))
        page.clock.set_fixed_time("2026-11-26T10:00:00")
        self.show("dated/index.html")
        self.assertEqual(self.texts(".weekdays .date"), ["23 Nov", "24 Nov", "25 Nov", "26 Nov", "27 Nov"])
        page.click("#todayList summary")
        shown = sorted(self.texts("#todayList dd span"))
        self.assertEqual(shown, sorted(f"{course} in {room}" for course, room, day, _ in self.published if day == "3"))
        for size in (WIDE, NARROW):
            page.set_viewport_size(size)
            self.expectFits(f"the week of today in {size}")
            self.keepPicture(f"today {size['width']}")
        page.set_viewport_size(WIDE)
        box = page.locator("#thisWeek").bounding_box()
        self.assertLess(box["y"] + page.locator(".weekdays").bounding_box()["height"], WIDE["height"])
        # Without dates, the names of the days say which one is today; and without names, nothing does.
        self.show("german/index.html")
        self.assertEqual(self.texts("#today"), ["Today is Thursday, 26 November 2026. The dates of the term are not known: --first-day tells them."])
        self.assertEqual(self.texts(".weekdays [aria-current] a"), ["Donnerstag"])
        self.show("good/index.html")
        self.assertIn("What is on today cannot be said", self.texts("#today")[0])
        self.assertEqual(page.locator("[aria-current]").count(), 0)

    def testASearchBoxLeadsToThePageOfAPerson(self):
        page = self.show("good/index.html")
        teacher = self.texts("#teacher tbody th")[0]
        page.fill("#filter", teacher)
        self.assertIn(teacher, self.texts("#matches a"))
        page.press("#filter", "Enter")
        self.awaitThat(lambda: teacher in self.texts("h1")[0], "Enter does not lead to the page")

    def testANarrowScreenHasAListForEachDay(self):
        course, room = self.lectures[0][:2]
        self.page.set_viewport_size(NARROW)
        page = self.show(f"bad/room-{room}.html")
        self.assertFalse(page.locator("table.week").first.is_visible())
        self.assertTrue(page.locator(".days li", has_text=course).first.is_visible())
        self.assertEqual(page.locator(".days li").count(), page.locator(".lecture").count())
        self.keepPicture("list")

    def testNoRuleOfAccessibilityIsBroken(self):
        """Runs axe-core on a page of each kind, at both widths, light and dark. The policy of the pages would stop axe-core itself."""
        import axe_playwright_python
        with open(os.path.join(os.path.dirname(axe_playwright_python.__file__), "axe.min.js"), encoding="utf-8") as file:
            axe = file.read()
        search = self.serve(options.instance, "--iterations", "1")
        search.awaitLine("the page stays")
        files = [f"file://{self.at('bad')}/{name}" for name in ("index.html", "day-0.html", f"room-{self.lectures[0][1]}.html")]
        dated = f"file://{self.at('dated')}/index.html"
        for scheme in ("light", "dark"):
            for size in (WIDE, NARROW):
                context = self.browser.new_context(viewport=size, color_scheme=scheme, bypass_csp=True)
                page = context.new_page()
                page.clock.set_fixed_time("2026-11-26T10:00:00")
                for address in [dated, *files, f"file://{self.at('events')}/students.html#3", self.allowed, self.allowed + "search.html"]:
                    page.goto(address)
                    if address == dated:
                        page.click("#todayList summary")
                    if address == self.allowed:
                        page.locator("#map tbody a[data-course]").nth(9).click()
                        page.locator("#choice h3").wait_for()
                    page.evaluate(axe)
                    broken = [(one["id"], one["nodes"][0]["html"]) for one in page.evaluate("axe.run()")["violations"]]
                    self.assertEqual(broken, [], f"{address} {scheme} {size}")
                    if options.screenshots:
                        name = re.sub(r"\W+", " ", address.rpartition("/")[2] or "served")
                        page.screenshot(path=os.path.join(options.screenshots, f"axe {name} {scheme} {size['width']}.png"))
                context.close()
        search.signal(signal.SIGINT)
        search.finish()


def main():
    global options
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--instance", required=True)
    browserTests.addOptions(parser)
    options, rest = parser.parse_known_args()
    return browserTests.run("pages in a browser", options, rest)


if __name__ == "__main__":
    sys.exit(main())
