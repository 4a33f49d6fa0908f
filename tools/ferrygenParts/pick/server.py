"""ferrygen pick: a page on this machine that shows the classes of a selection, and saves what is ticked."""
import hmac
import http.server
import json
import os
import secrets
import signal
import socket
import sys
import threading
import time
import tomllib

from ferrygenParts.outputFile import writeAtomically
from ferrygenParts.pick.asked import BadRequest, viewsOf
from ferrygenParts.pick.classes import PickedClasses, digestOf
from ferrygenParts.pick.editing import NotEditable, editedText, wholeText
from ferrygenParts.pick.page import pageText
from ferrygenParts.problem import Problem

MAX_REQUEST_BYTES = 1 << 20
REQUEST_S = 20    # a request that takes longer is dropped; the time runs from its connection to its last byte
MAX_CONNECTIONS = 32    # one more connection closes the oldest one whose request is incomplete


class Picker:
    """Answers the page. Threads: one request at a time."""

    def __init__(self, cindex, path, flags):
        self.read = lambda: PickedClasses(cindex, path, flags)
        self.path = path
        self.lock = threading.Lock()
        self.generation, self.classes = 0, None

    def state(self):
        """Reads the selection and the headers again."""
        with self.lock:
            self.classes = None
            self.generation += 1
            try:
                self.classes = self.read()
            except (Problem, OSError, UnicodeDecodeError) as problem:
                return {"generation": self.generation, "path": self.path, "problems": str(problem).splitlines()}
            return {"generation": self.generation, **self.classes.state()}

    def current(self, generation):
        if self.classes is None or generation != self.generation:
            raise BadRequest("the page has been opened anew elsewhere: reload it")
        return self.classes

    def classState(self, generation, number):
        with self.lock:
            try:
                return self.current(generation).classState(number)
            except IndexError:
                raise BadRequest("there is no such class") from None

    def check(self, asked):
        with self.lock:
            classes = self.current(asked.get("generation"))
            return {"problems": classes.problems(self.textFor(classes, asked)[0])}

    def textFor(self, classes, asked):
        """Returns the file's text with the views that were sent, the lost comments, and whether the whole text is new."""
        views = viewsOf(asked.get("views"))
        try:
            return (*editedText(classes.text, views), False)
        except NotEditable:
            content = tomllib.loads(classes.text)
            return wholeText({**content, "view": {**content.get("view", {}), **views}}), ["all comments"], True

    def save(self, asked):
        """Saves, unless the user has to confirm: an error (`anyway`), or the loss of comments (`withoutComments`)."""
        with self.lock:
            classes = self.current(asked.get("generation"))
            text, lost, isAnew = self.textFor(classes, asked)
            with open(self.path, encoding="utf-8", newline="") as file:
                if digestOf(file.read()) != digestOf(classes.text):
                    return {"saved": False, "problems": [f"{self.path} has changed since this page was opened: reload the page, and tick again"]}
            problems = classes.problems(text)
            if problems and asked.get("anyway") is not True:
                return {"saved": False, "problems": problems, "mayAnyway": True}
            if isAnew and asked.get("withoutComments") is not True:
                return {"saved": False, "problems": [f"{self.path} has a form in which views cannot be changed by themselves: it would be "
                                                     "written anew, without its comments"], "mayLoseComments": True}
            writeAtomically(self.path, text)
            classes.text = text
            return {"saved": True, "problems": problems, "lostComments": lost}


def isNumber(word):
    return word.isascii() and word.isdigit() and len(word) < 10


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers only the page: a client must know the token, and must come from this server's own page."""
    server_version, sys_version = "ferrygen", ""
    timeout = REQUEST_S

    def log_message(self, *_):
        pass

    def answer(self, status, body, contentType="application/json"):
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in (("Content-Type", f"{contentType}; charset=utf-8"), ("Content-Length", str(len(data))), ("Cache-Control", "no-store"),
                            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
                            ("Cross-Origin-Resource-Policy", "same-origin"), ("Connection", "close")):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
        self.close_connection = True

    def refuse(self, status, text):
        self.answer(status, {"error": text})

    def wordsOfPath(self):
        """Returns the path behind the token, or None after an answer."""
        names = [f"127.0.0.1:{self.server.server_port}", f"localhost:{self.server.server_port}"]
        words = self.path.split("/")
        if self.headers.get_all("Host") not in [[name] for name in names]:
            self.refuse(403, "expected 127.0.0.1 in the address, found another name")
        elif len(words) < 3 or not hmac.compare_digest(words[1].encode(), self.server.token.encode()):
            self.refuse(403, "the address lacks the token that ferrygen pick has printed")
        else:
            return words[2:]
        return None

    def do_GET(self):
        self.server.noteWhole(self.connection)
        words = self.wordsOfPath()
        if words == [""]:
            self.answer(200, pageText(None), "text/html")
        elif words == ["state"]:
            self.answer(200, self.server.picker.state())
        elif words is not None and len(words) == 3 and words[0] == "class" and all(map(isNumber, words[1:])):
            self.answerWith(lambda: self.server.picker.classState(*map(int, words[1:])))
        elif words is not None:
            self.refuse(404, "there is nothing here")

    def do_POST(self):
        words = self.wordsOfPath()
        if words is None:
            return
        length = self.headers.get("Content-Length", "")
        if self.headers.get("Origin") != f"http://{self.headers['Host']}" or self.headers.get("Content-Type") != "application/json":
            self.refuse(403, "only the page of ferrygen pick may ask for this")
        elif not isNumber(length) or int(length) > MAX_REQUEST_BYTES:
            self.refuse(413, f"expected at most {MAX_REQUEST_BYTES} bytes")
        elif words not in (["check"], ["save"]):
            self.refuse(404, "there is nothing here")
        else:
            self.answerWith(lambda: getattr(self.server.picker, words[0])(self.readAsked(int(length))))

    def readAsked(self, length):
        data = self.rfile.read(length)
        self.server.noteWhole(self.connection)
        try:
            asked = json.loads(data)
        except (ValueError, RecursionError):
            raise BadRequest("expected JSON") from None
        if not isinstance(asked, dict):
            raise BadRequest("expected an object")
        return asked

    def answerWith(self, make):
        try:
            self.answer(200, make())
        except BadRequest as problem:
            self.refuse(400, str(problem))
        except OSError as error:
            self.refuse(500, f"{error.filename}: {error.strerror}")


class Server(http.server.ThreadingHTTPServer):
    """Connections have limits of number and time, so that no client can keep others out. Threads: one for each connection."""
    daemon_threads = True
    request_queue_size = 128    # connections that wait for their thread; a full queue costs the next client a second

    def __init__(self, *arguments):
        self.guard = threading.Lock()
        self.begun = {}    # start time of each connection, the oldest first; None: its request is complete
        super().__init__(*arguments)

    def process_request(self, request, client_address):
        with self.guard:
            late = [one for one, begin in self.begun.items() if begin is not None]
            if len(self.begun) >= MAX_CONNECTIONS:
                self.cut(late[0] if late else request)
            self.begun[request] = time.monotonic()
        super().process_request(request, client_address)

    def shutdown_request(self, request):
        with self.guard:
            self.begun.pop(request, None)
        super().shutdown_request(request)

    def service_actions(self):
        """The thread that accepts calls this now and then."""
        oldest = time.monotonic() - REQUEST_S
        with self.guard:
            for request in [one for one, begin in self.begun.items() if begin is not None and begin < oldest]:
                self.cut(request)

    def cut(self, request):
        """Ends the wait of the connection's thread, which then closes the connection."""
        self.begun.pop(request, None)
        try:
            request.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass    # the connection has ended

    def noteWhole(self, request):
        with self.guard:
            if request in self.begun:
                self.begun[request] = None

    def handle_error(self, request, client_address):
        if not isinstance(sys.exception(), OSError):    # an OSError means that the client has gone
            super().handle_error(request, client_address)


def stopAtSignal(*_):
    raise KeyboardInterrupt


def serve(cindex, path, flags, port):
    """Serves until it is interrupted."""
    server = Server(("127.0.0.1", port), Handler)
    server.token = secrets.token_urlsafe(18)
    server.picker = Picker(cindex, path, flags)
    signal.signal(signal.SIGTERM, stopAtSignal)
    try:
        print(f"http://127.0.0.1:{server.server_port}/{server.token}/ shows {path} until Ctrl-C", flush=True)
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()


def staticPage(cindex, path, flags):
    """Makes a page that needs no server and saves nothing: the user copies its text."""
    classes = PickedClasses(cindex, path, flags)
    state = classes.state()
    return pageText({"state": state, "classes": classes.allClasses()})
