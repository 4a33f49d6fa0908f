"""Runs the timetabling program with --serve, as threads or under mpirun, and asks it what a browser asks, and what none should.

The tests of `Serve` look at a search that runs, those of `Desk` change the timetable of a search that is over.
"""
import http.client
import json
import re
import resource
import signal
import socket
import time

import commandLineTest


class Served(commandLineTest.TestWithInstance):
    """Base of tests with a program that serves its pages."""

    def start(self, *arguments, graceS=0):
        self.process = commandLineTest.launch([*arguments, "--serve", "0"], graceS=graceS)
        self.addCleanup(self.process.kill)
        found, count = self.process.awaitLine(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/ shows")
        self.port, self.token = int(found.group(1)), found.group(2)
        return count

    def ask(self, path, method="GET", **headers):
        return self.askAnybody(f"/{self.token}{path}", method, **headers)

    def askAnybody(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=commandLineTest.HANG_S)
        try:
            connection.request(method, path, body, headers)
            reply = connection.getresponse()
            return reply.status, reply.read().decode()
        finally:
            connection.close()

    def post(self, path, body, status=200):
        """Posts a body as a page does, and returns the answer."""
        text = body if isinstance(body, str) else json.dumps(body)
        found, answer = self.askAnybody(f"/{self.token}{path}", "POST", text, **{"Content-Type": "application/json"})
        self.assertEqual(found, status, answer)
        return json.loads(answer)

    def interrupt(self):
        self.process.signal(signal.SIGINT)
        return commandLineTest.finish(self.process)


class Serve(Served):
    def setUp(self):
        looksAtTheEnd = self._testMethodName == "testWhoAsksSeesTheSearch"
        count = self.start("solve", self.good, "--time", "1000", "--out", self.path("served.sol"),
                           graceS=commandLineTest.ORDERLY_END_S if looksAtTheEnd else 0)
        self.process.awaitLine(r"best \d", skip=count)

    @commandLineTest.everywhere
    def testWhoAsksSeesTheSearch(self):
        self.assertEqual(self.ask("/")[0], 200)
        status, text = self.ask("/status.json")
        state = json.loads(text)
        self.assertEqual(status, 200)
        self.assertIn("Faculty-80-2007", state["name"])
        self.assertEqual([slave["rank"] for slave in state["slaves"]], [1, 2])
        self.assertEqual(state["best"]["cost"], state["curve"][-1][2])
        status, page = self.ask("/timetable.html")
        self.assertEqual(status, 200)
        self.assertRegex(page, r"feasible, cost \d+")
        self.assertEqual(self.ask("/missing")[0], 404)
        status, output, errors = self.interrupt()
        self.assertEqual(status, 130 if commandLineTest.options.launcher == "threads" else status, errors)
        self.assertNotEqual(status, 0)
        self.assertRegex(output, r"\nfeasible, cost \d+\n")
        self.assertEqual(commandLineTest.run("score", self.good, self.path("served.sol"))[0], 0)
        with self.assertRaises(ConnectionRefusedError):
            self.ask("/")

    def testNothingChangesWhileTheSearchRuns(self):
        state = json.loads(self.ask("/desk.json")[1])
        self.assertTrue(state["isSearching"])
        for path, members in (("/undo", {}), ("/close", {"room": 0, "period": 0}), ("/solve", {"seconds": 1, "keep": "moves"})):
            self.assertIn("a search is running", self.post(path, {"version": state["version"], **members}, 409)["error"])
        # Who stops the search gets its best timetable, and the page stays.
        self.post("/stop", {})
        self.process.awaitLine("the page stays")
        self.assertFalse(json.loads(self.ask("/desk.json")[1])["isSearching"])
        self.assertEqual(commandLineTest.run("score", self.good, self.path("served.sol"))[0], 0)
        self.post("/end", {})
        status, output, errors = commandLineTest.finish(self.process)
        self.assertEqual(status, 0, errors)
        self.assertRegex(output, r"\nfeasible, cost \d+\n")

    @commandLineTest.everywhere
    def testHostileRequestsAreRefusedAndHarmNothing(self):
        self.assertEqual(self.ask("/", "PUT")[0], 405)
        self.assertEqual(self.ask("/", "POST")[0], 415)
        self.assertEqual(self.ask("/desk.json", Origin="http://evil.example")[0], 403)
        self.assertEqual(self.ask("/", Host="evil.example")[0], 403)
        self.assertEqual(self.ask("/" + "x" * 20000)[0], 431)
        with socket.create_connection(("127.0.0.1", self.port), commandLineTest.HANG_S) as peer:
            peer.sendall(b"\x16\x03\x01\0\0\r\n\r\n")
            self.assertTrue(peer.recv(1000).startswith(b"HTTP/1.1 400 "))
        with socket.create_connection(("127.0.0.1", self.port), commandLineTest.HANG_S) as peer:
            peer.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n" + b"x" * 100000)
            self.assertTrue(peer.recv(1000).startswith(b"HTTP/1.1 413 "))
        with socket.create_connection(("127.0.0.1", self.port), commandLineTest.HANG_S) as peer:
            peer.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n")
            self.assertRegex(peer.recv(1000), rb"^HTTP/1\.1 4\d\d ")
        # Another user of this machine does not know the token.
        for path in ("/", "/status.json", "/timetable.html", f"/{'0' * 32}/status.json", f"/{self.token}"):
            self.assertEqual(self.askAnybody(path)[0], 403)
        for path in ("/stop", "/end", f"/{'0' * 32}/end", "/move"):
            self.assertEqual(self.askAnybody(path, "POST", "{}", **{"Content-Type": "application/json"})[0], 403)
        # More connections than the server serves at a time, and all are silent. The limit of number or of time closes each of them.
        # A real request is answered meanwhile.
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        silent = [socket.create_connection(("127.0.0.1", self.port), commandLineTest.HANG_S) for _ in range(1000)]
        self.assertEqual(self.ask("/status.json")[0], 200)
        for peer in silent:
            try:
                self.assertEqual(peer.recv(1), b"")
            except ConnectionResetError:
                pass
            peer.close()
        self.assertEqual(self.ask("/status.json")[0], 200)
        self.interrupt()

    def testAPortThatIsTakenIsRefusedBeforeTheWork(self):
        for port, part in ((str(self.port), f"127.0.0.1:{self.port}: cannot be served: Address already in use"), ("65536", "--serve"),
                           ("-1", "--serve"), ("x", "--serve")):
            status, output, errors = commandLineTest.run("solve", self.good, "--time", "1000", "--serve", port)
            self.assertEqual(status, 2, errors)
            self.assertEqual(len(commandLineTest.ownLines(errors)), 1, errors)
            self.assertIn(part, errors)
            self.assertEqual(output, "")
        self.interrupt()

    def testOnlyThisMachineIsServed(self):
        """All addresses of the loopback network lead to this machine. A server for everybody would answer on them."""
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", self.port), commandLineTest.HANG_S)
        self.interrupt()


class Desk(Served):
    """Changes the timetable of a small faculty, whose costs the command `score` checks."""

    def setUp(self):
        status, _, errors = commandLineTest.run("generate", "--courses", "10", "--rooms", "4", "--days", "4", "--periods", "4", "--curricula", "4",
                                                "--seed", "3", "--out", self.path("small.ctt"))
        self.assertEqual(status, 0, errors)
        self.start("solve", self.path("small.ctt"), "--iterations", "1", "--out", self.path("small.sol"), "--csv", self.path("small.csv"))
        self.process.awaitLine("the page stays")
        with open(self.path("small.ctt"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        section = lambda name, count: [line.split()[0] for line in lines[lines.index(name) + 1:][:count]]
        self.courses, self.rooms = section("COURSES:", 10), section("ROOMS:", 4)

    def state(self):
        return json.loads(self.ask("/desk.json")[1])

    def change(self, path, status=200, **members):
        return self.post(path, {"version": self.state()["version"], **members}, status)

    def lectures(self):
        """Returns the lectures of the file of the results: [course, room, day, period]."""
        with open(self.path("small.sol"), encoding="utf-8") as file:
            return [line.split() for line in file]

    def periodOf(self, lecture):
        return int(lecture[2]) * 4 + int(lecture[3])

    def placesOf(self, lecture):
        return json.loads(self.ask(f"/places/{self.courses.index(lecture[0])}/{self.periodOf(lecture)}.json")[1])["places"]

    def score(self, lectures):
        """Returns the violations and the cost of lectures, as the command `score` finds them."""
        _, output, errors = commandLineTest.run("score", self.path("small.ctt"), self.make("try.sol", "".join(" ".join(one) + "\n" for one in lectures)))
        words = output.splitlines()[-2].replace(",", "").split()
        self.assertEqual(words[0], "Total", output + errors)
        return int(words[1]), int(words[4])

    def awaitState(self, holds):
        end = time.monotonic() + commandLineTest.HANG_S
        while not holds(state := self.state()):
            self.assertLess(time.monotonic(), end, state)
            time.sleep(0.05)    # between two questions, as a page waits
        return state

    def awaitFile(self, lectures):
        """Awaits that the file of the results holds these lectures."""
        self.awaitState(lambda _: sorted(map(tuple, self.lectures())) == sorted(map(tuple, lectures)))

    def endInOrder(self):
        self.post("/end", {})
        status, _, errors = commandLineTest.finish(self.process)
        self.assertEqual(status, 0, errors)

    def testPlacesCostWhatTheScorerSays(self):
        before = self.lectures()
        violations, cost = self.score(before)
        checked = 0
        for index in (0, len(before) // 2, len(before) - 1):
            lecture = before[index]
            places = self.placesOf(lecture)
            self.assertEqual(len(places), 64)
            possible = [place for place in places if "cost" in place]
            for place in possible[::7]:
                after = [list(one) for one in before]
                there = [self.rooms[place["room"]], str(place["period"] // 4), str(place["period"] % 4)]
                for other in after:
                    if other[1:] == there:
                        self.assertEqual(place.get("with"), other[0])
                        other[1:] = lecture[1:]
                after[index][1:] = there
                self.assertEqual(self.score(after), (violations + place["violations"], cost + place["cost"]), (lecture, place))
                checked += 1
        self.assertGreater(checked, 8)
        self.endInOrder()

    def testALectureIsMovedPinnedAndMovedBack(self):
        before = self.lectures()
        places = [(lecture, place) for lecture in before for place in self.placesOf(lecture)
                  if place["kind"] == "free" and place["period"] != self.periodOf(lecture) and place["violations"] == 0]
        lecture, place = places[0]
        before.remove(lecture)
        before.insert(0, lecture)
        course, period = self.courses.index(lecture[0]), self.periodOf(lecture)
        cost = self.state()["cost"]
        state = self.change("/move", course=course, period=period, toPeriod=place["period"], toRoom=place["room"])
        self.assertEqual(state["cost"], cost + place["cost"])
        moved = [lecture[0], self.rooms[place["room"]], str(place["period"] // 4), str(place["period"] % 4)]
        self.awaitFile([moved, *before[1:]])
        self.change("/pin", course=course, period=place["period"], toRoom=place["room"])
        self.assertIn("pinned", self.change("/move", 409, course=course, period=place["period"], toPeriod=period, toRoom=0)["error"])
        self.assertEqual(self.ask("/pins.csv")[1].splitlines()[1], ",".join([moved[0], *moved[2:], moved[1]]))
        self.assertIn(f"{moved[0]},", self.ask("/timetable.csv")[1])
        self.change("/undo")
        self.change("/undo")
        self.assertEqual(self.state()["cost"], cost)
        self.awaitFile(before)
        self.endInOrder()

    def testARoomIsClosedAndTheTimetableSolvedAgain(self):
        before = self.lectures()
        lecture = before[0]
        room, period = self.rooms.index(lecture[1]), self.periodOf(lecture)
        state = self.change("/close", room=room, period=period)
        self.assertEqual(state["violations"], 1)
        self.assertIn(lecture[1], self.ask("/closed.csv")[1])
        self.change("/solve", seconds=2, keep="moves")
        state = self.awaitState(lambda state: state["proposal"] or not state["isSearching"])
        self.assertEqual(state["proposal"]["movedCount"], 1, state)
        self.assertEqual(state["proposal"]["violations"], 0)
        self.assertIn("fewest moves: 1; fewer are impossible", state["proposal"]["sentence"])
        self.assertEqual(sorted(self.lectures()), sorted(before))    # not before it is taken over
        cost = state["proposal"]["cost"]
        state = self.change("/take")
        self.assertEqual((state["violations"], state["cost"]), (0, cost))
        self.awaitState(lambda _: sorted(self.lectures()) != sorted(before))
        self.assertNotIn(lecture, self.lectures())
        self.assertEqual(self.score(self.lectures()), (0, cost))
        free = json.loads(self.ask("/free.json")[1])["periods"]
        self.assertNotIn(lecture[1], [one["room"] for one in free[period]["rooms"]])
        # Another search has the slaves again. A discarded result changes nothing.
        self.change("/solve", seconds=1, keep="cost")
        self.awaitState(lambda state: state["proposal"])
        self.change("/discard")
        self.assertEqual(self.state()["cost"], cost)
        self.change("/undo")
        self.change("/undo")
        self.assertEqual(self.state()["closings"], [])
        self.awaitFile(before)
        self.endInOrder()

    def testAnImpossibleWishIsExplained(self):
        for period in range(16):
            self.change("/close", room=-1, period=period)
        self.change("/solve", seconds=1, keep="moves")
        state = self.awaitState(lambda state: not state["isSearching"])
        self.assertIsNone(state["proposal"])
        self.assertIn("no feasible timetable", state["told"])
        self.change("/undo")
        self.interrupt()

    def testASearchOfThePageIsStopped(self):
        # A lecture has to move, so the search has no timetable that costs nothing, at which it would end.
        lecture = self.lectures()[0]
        self.change("/close", room=self.rooms.index(lecture[1]), period=self.periodOf(lecture))
        self.change("/solve", seconds=1000, keep="moves")

        def hasBest(_):
            status = json.loads(self.ask("/status.json")[1])
            return status["best"] and not status["isOver"]

        self.awaitState(hasBest)
        self.post("/stop", {})
        self.assertIsNotNone(self.awaitState(lambda state: not state["isSearching"])["proposal"])
        self.endInOrder()

    def testWrongNumbersAndOldVersionsAreRefused(self):
        version = self.state()["version"]
        self.change("/close", room=0, period=0)
        self.assertIn("load it again", self.post("/undo", {"version": version}, 409)["error"])
        for path in ("/places/99/0.json", "/places/0/99.json", "/places/-1/0.json", "/places/x/0.json", "/places/0"):
            self.assertEqual(self.ask(path)[0], 400, path)
        self.assertEqual(self.ask("/places/0/0.json/../../../etc/passwd")[0], 400)
        for body in ("", "{", "[]", "{}", '{"version": "x"}', "[" * 60000):
            self.assertIn("expected", self.post("/move", body, 400)["error"])
        self.change("/move", 400, course=99, period=0, toPeriod=0, toRoom=0)
        self.change("/close", 400, room=4, period=0)
        self.change("/solve", 400, seconds=-1, keep="moves")
        self.interrupt()

    def testTheEndOfThePageEndsTheProgram(self):
        self.endInOrder()
        with self.assertRaises(ConnectionRefusedError):
            self.ask("/")


class Events(Served):
    """Changes a post-enrolment timetable, whose costs the command `score` checks."""

    def setUp(self):
        self.instance = self.path("events.tim")
        self.assertEqual(commandLineTest.run("generate", "--enrolment", "--events", "40", "--rooms", "3", "--students", "30", "--seed", "2",
                                             "--out", self.instance)[0], 0)
        self.start("solve", self.instance, "--iterations", "1", "--out", self.path("events.sln"), "--csv", self.path("events.csv"))
        self.process.awaitLine("the page stays")

    def state(self):
        return json.loads(self.ask("/desk.json")[1])

    def change(self, path, status=200, **members):
        return self.post(path, {"version": self.state()["version"], **members}, status)

    def placesOf(self, event, period):
        return json.loads(self.ask(f"/places/{event}/{period}.json")[1])["places"]

    def timetable(self):
        """Returns the period and the room of each event in the file of the results."""
        with open(self.path("events.sln"), encoding="utf-8") as file:
            return [tuple(map(int, line.split())) for line in file]

    def score(self, places):
        """Returns the violations with the distance, and the cost, as the command `score` finds them."""
        _, output, errors = commandLineTest.run("score", self.instance, self.make("try.sln", "".join(f"{a} {b}\n" for a, b in places)))
        found = re.search(r"^Total +(\d+) violations, distance (\d+), cost (\d+)$", output, re.MULTILINE)
        self.assertTrue(found, output + errors)
        return int(found.group(1)) + int(found.group(2)), int(found.group(3))

    def awaitFile(self, places):
        end = time.monotonic() + commandLineTest.HANG_S
        while self.timetable() != places:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)    # between two looks, as a person waits

    def endInOrder(self):
        self.post("/end", {})
        status, _, errors = commandLineTest.finish(self.process)
        self.assertEqual(status, 0, errors)

    @commandLineTest.everywhere
    def testAnEventIsMovedLeftOutAndPutBack(self):
        self.assertIn('id="map"', self.ask("/")[1])
        self.assertEqual(self.ask("/week-0.html")[0], 200)
        before = self.timetable()
        violations, cost = self.score(before)
        event = 7
        period, room = before[event]
        places = [place for place in self.placesOf(event, period) if "cost" in place]
        for place in places[::9]:
            after = list(before)
            if "with" in place:
                after[int(place["with"].split()[1])] = before[event]
            after[event] = (place["period"], place["room"])
            self.assertEqual(self.score(after), (violations + place["violations"], cost + place["cost"]), place)
        place = next(place for place in places if place["violations"] == 0 and "with" not in place)
        state = self.change("/move", course=event, period=period, toPeriod=place["period"], toRoom=place["room"])
        self.assertEqual(state["cost"], cost + place["cost"])
        after = list(before)
        after[event] = (place["period"], place["room"])
        self.awaitFile(after)
        self.change("/undo")
        state = self.change("/leave-out", course=event, period=period)
        self.assertEqual([one["course"] for one in state["leftOut"]], [event])
        after[event] = (-1, -1)
        self.awaitFile(after)
        self.assertEqual((state["violations"], state["cost"]), self.score(after))
        self.assertEqual(self.ask(f"/places/{event}/left-out.json")[0], 200)
        state = self.change("/place", course=event, toPeriod=period, toRoom=room)
        self.assertEqual((state["violations"], state["cost"], state["leftOut"]), (violations, cost, []))
        self.awaitFile(before)
        self.endInOrder()

    def testARoomIsClosedAndTheTimetableSolvedAgain(self):
        before = self.timetable()
        period, room = before[0]
        pinned = next(event for event in range(40) if before[event][0] != period)
        at, where = before[pinned]
        self.change("/pin", course=pinned, period=at, toRoom=where)
        self.assertEqual(self.ask("/pins.csv")[1].splitlines()[1], f"{pinned},{at // 9},{at % 9},{where}")
        self.assertIn("whole week", self.change("/close", 409, room=room, period=period)["error"])
        self.change("/close", room=-1, period=period)
        self.change("/solve", seconds=2, keep="moves")
        end = time.monotonic() + commandLineTest.HANG_S
        while not (state := self.state())["proposal"]:
            self.assertTrue(state["isSearching"], state)
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)    # between two questions, as a page waits
        self.assertGreaterEqual(state["proposal"]["movedCount"], 1)
        self.assertEqual(state["proposal"]["violations"], 0)
        self.change("/take")
        changed = self.make("changed.tim", self.ask("/changed.tim")[1])
        table = self.make("table.csv", self.ask("/timetable.csv")[1])
        self.assertEqual(commandLineTest.run("score", changed, table)[0], 0)
        with open(table, encoding="utf-8") as file:
            rows = sorted([int(cell) for cell in line.split(",")[:4]] for line in file.read().splitlines()[1:])
        places = [(day * 9 + ofDay, place) for _, day, ofDay, place in rows]
        self.assertNotIn(period, [place[0] for place in places])
        self.assertEqual(places[pinned], before[pinned])
        self.awaitFile(places)
        self.endInOrder()


if __name__ == "__main__":
    commandLineTest.main(__doc__)
