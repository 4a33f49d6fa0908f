"""Starts ferrygen pick for tests."""
import json
import os
import re
import signal
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import LIMIT_S, Launch, run    # noqa: E402 (the path comes first)

FERRYGEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "ferrygen")

# The header has names that only libclang can read, and arbitrary comments.
HEADER = """#pragma once
#include <memory>
#include <vector>
/// What a mass is made of.
class Part {
    int a_ = 1;    ///< <script>alert('comment')</script>
    int b_ = 2;    ///< </script><script>alert(2)</script>
};
class Mass {
public:
    virtual ~Mass() = default;
private:
    float mass_ = 1;    ///< in kg
    float x_ = 0;
    Part part_;
    struct { int low, high; } range_;
    long constructor = 0;
    std::vector<Mass> near_;
    Mass* next_ = nullptr;
    double* samples_ = nullptr;
    long count_ = 0;
    int& reference_;
    unsigned bits_ : 3;
};
"""
SELECTION = """# Of the masses.
format = 1
headers = ["mass.hpp"]

[view.ToWorker]    # what they need
type = "Mass"
send = ["mass_: float", "x_: float"]
skip = ["part_", "range_", "constructor", "near_", "next_", "samples_", "count_", "reference_", "bits_"]

# What they give back.
[view.ToMaster]
type = "Mass"
send = [
    "x_",    # this alone
]
skip = ["mass_", "part_", "range_", "constructor", "near_", "next_", "samples_", "count_", "reference_", "bits_"]
"""


class PickTest(unittest.TestCase):
    """Base of tests in a folder with a class and a selection."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.write("mass.hpp", HEADER)
        self.write("mass.toml", SELECTION)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name="mass.toml"):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def execute(self, *arguments):
        done = run([sys.executable, "-B", FERRYGEN, *arguments], cwd=self.folder)
        return done.returncode, done.stdout, done.stderr

    def start(self, *arguments):
        """Starts a server. Returns the address that it prints."""
        self.server = Launch([sys.executable, "-B", FERRYGEN, "pick", "mass.toml", *arguments], cwd=self.folder)
        self.addCleanup(self.end)
        found, self.lineCount = self.server.awaitLine(r"^(http://127\.0\.0\.1:\d+/[\w-]{20,}/) shows mass.toml", "stdout")
        self.url = found.group(1)
        return self.url

    def end(self):
        self.server.kill()

    def interrupt(self):
        """Sends SIGINT, like Ctrl-C. Returns the exit status and the output of the server."""
        self.server.signal(signal.SIGINT)
        done = self.server.finish()
        return done.returncode, "".join(done.stdout.splitlines(keepends=True)[self.lineCount:]), done.stderr


def ask(url, body=None, headers=None):
    """Sends a request. Returns status and answer. A body that is no text is sent as JSON, like the page sends it."""
    origin = "/".join(url.split("/")[:3])
    if body is not None and not isinstance(body, str):
        body = json.dumps(body)
    data = None if body is None else body.encode()
    asked = {} if data is None else {"Origin": origin, "Content-Type": "application/json"}
    request = urllib.request.Request(url, data, {**asked, **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=LIMIT_S) as reply:
            text = reply.read().decode()
            return reply.status, json.loads(text) if reply.headers["Content-Type"].startswith("application/json") else text
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read().decode())
