"""Runs the timetabling program with --serve, as threads or under mpirun, and asks it what a browser asks, and what none should."""
import http.client
import json
import signal
import socket

import commandLineTest


class Serve(commandLineTest.TestWithInstance):
    def setUp(self):
        looksAtTheEnd = self._testMethodName == "testWhoAsksSeesTheSearch"
        self.process = commandLineTest.launch(["solve", self.good, "--time", "1000", "--serve", "0", "--out", self.path("served.sol")],
                                              graceS=commandLineTest.ORDERLY_END_S if looksAtTheEnd else 0)
        self.addCleanup(self.end)
        found, count = self.process.awaitLine(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/ shows")
        self.port, self.token = int(found.group(1)), found.group(2)
        self.process.awaitLine(r"best \d", skip=count)

    def end(self):
        self.process.kill()

    def ask(self, path, method="GET", **headers):
        return self.askAnybody(f"/{self.token}{path}", method, **headers)

    def askAnybody(self, path, method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=commandLineTest.HANG_S)
        try:
            connection.request(method, path, headers=headers)
            reply = connection.getresponse()
            return reply.status, reply.read().decode()
        finally:
            connection.close()

    def interrupt(self):
        self.process.signal(signal.SIGINT)
        return commandLineTest.finish(self.process)

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

    @commandLineTest.everywhere
    def testHostileRequestsAreRefusedAndHarmNothing(self):
        self.assertEqual(self.ask("/", "POST")[0], 405)
        self.assertEqual(self.ask("/", Host="evil.example")[0], 403)
        self.assertEqual(self.ask("/" + "x" * 20000)[0], 431)
        with socket.create_connection(("127.0.0.1", self.port), commandLineTest.HANG_S) as peer:
            peer.sendall(b"\x16\x03\x01\0\0\r\n\r\n")
            self.assertTrue(peer.recv(1000).startswith(b"HTTP/1.1 400 "))
        with socket.create_connection(("127.0.0.1", self.port), commandLineTest.HANG_S) as peer:
            peer.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n" + b"x" * 100000)
            self.assertTrue(peer.recv(1000).startswith(b"HTTP/1.1 405 "))
        # Another user of this machine does not know the token.
        for path in ("/", "/status.json", "/timetable.html", f"/{'0' * 32}/status.json", f"/{self.token}"):
            self.assertEqual(self.askAnybody(path)[0], 403)
        # More connections than the server serves at a time, and all are silent. The limit of number or of time closes each of them.
        # A real request is answered meanwhile.
        silent = [socket.create_connection(("127.0.0.1", self.port), commandLineTest.HANG_S) for _ in range(100)]
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


if __name__ == "__main__":
    commandLineTest.main(__doc__)
