#!/usr/bin/env python3
"""Kills a program that saves, at random moments: each time the file holds the whole old state or the whole new one.

usage: killTest.py SAVER --form object|graph --kills N [--seed S]
"""
import argparse
import os
import random
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from launching import Launch, run    # noqa: E402 (the path comes first)


class Saver:
    """The program that saves, and the path of its file."""

    def __init__(self, program, form, path):
        self.program, self.form, self.path = program, form, path

    def command(self, verb, *arguments):
        return [self.program, verb, self.form, self.path, *map(str, arguments)]

    def run(self, verb, *arguments):
        done = run(self.command(verb, *arguments))
        if done.returncode != 0:
            raise AssertionError(f"{verb} failed: {done.stderr.strip()}")
        return done.stdout

    def state(self):
        return int(self.run("check"))

    def secondsOfOneSave(self):
        count = 5
        begin = time.monotonic()
        self.run("save", 1, count)
        return (time.monotonic() - begin) / count

    def saveUntilKilled(self, first, seconds):
        """Starts to save from the state `first`, kills the program, and returns the states that it has reported as saved."""
        saving = Launch(self.command("save", first))
        try:
            saving.awaitLine(".", "stdout")    # from here on, the program saves one state after the other
            time.sleep(seconds)    # the kill comes at a random moment
        finally:
            saving.signal(signal.SIGKILL)
        return [int(number) for number in saving.finish().stdout.split("\n") if number]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("saver")
    parser.add_argument("--form", choices=["object", "graph"], required=True)
    parser.add_argument("--kills", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    old = new = leftovers = 0
    with tempfile.TemporaryDirectory() as folder:
        saver = Saver(options.saver, options.form, os.path.join(folder, "state"))
        span = 3 * saver.secondsOfOneSave()
        number = saver.state()
        for _ in range(options.kills):
            saved = saver.saveUntilKilled(number + 1, chance.uniform(0, span))
            state = saver.state()
            if saved != list(range(number + 1, number + 1 + len(saved))) or not saved:
                raise AssertionError(f"the states saved were {saved}, after {number}")
            if state not in (saved[-1], saved[-1] + 1):
                raise AssertionError(f"state {state} is there, after {saved[-1]} was saved")
            old += state == saved[-1]
            new += state != saved[-1]
            left = [name for name in os.listdir(folder) if name != "state"]
            if len(left) > 1:
                raise AssertionError(f"more than one file was left behind: {left}")
            leftovers += len(left)
            number = state
        saver.run("save", number + 1, 1)
        if os.listdir(folder) != ["state"]:
            raise AssertionError(f"the next save leaves {os.listdir(folder)}")
    print(f"{options.kills} kills: {old} times the old state, {new} times the new one; {leftovers} times a part of a file was left behind "
          f"(moments up to {span:.3f} s after a save)")
    if leftovers == 0:
        print("no kill came while a file was being written, so this proves nothing", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
