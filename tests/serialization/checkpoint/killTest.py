#!/usr/bin/env python3
"""Kills a program that saves, at random moments: each time the file holds the whole old state or the whole new one.

usage: killTest.py SAVER --kills N [--seed S]
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

TIME_LIMIT_S = 60    # for one step; a hang is a failure


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT_S)


def stateIn(saver, path):
    done = run(saver, "check", path)
    if done.returncode != 0:
        raise AssertionError(f"no whole state: {done.stderr.strip()}")
    return int(done.stdout)


def secondsOfOneSave(saver, path):
    count = 5
    begin = time.monotonic()
    done = run(saver, "save", path, "1", str(count))
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return (time.monotonic() - begin) / count


def killOnce(saver, path, number, seconds):
    """Starts saving at the state after `number`, kills it, and returns the states that it said it had saved."""
    process = subprocess.Popen([saver, "save", path, str(number + 1)], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        first = process.stdout.readline()    # from here on it saves, one state after the other
        time.sleep(seconds)    # the random moment
    finally:
        process.kill()
        rest = process.stdout.read()
        process.wait(TIME_LIMIT_S)
        process.stdout.close()
    return [int(line) for line in (first + rest).split("\n") if line]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("saver")
    parser.add_argument("--kills", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    old = new = leftovers = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "state")
        span = 3 * secondsOfOneSave(options.saver, path)
        number = stateIn(options.saver, path)
        for _ in range(options.kills):
            saved = killOnce(options.saver, path, number, chance.uniform(0, span))
            state = stateIn(options.saver, path)
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
        if run(options.saver, "save", path, str(number + 1), "1").returncode != 0 or os.listdir(folder) != ["state"]:
            raise AssertionError(f"the next save leaves {os.listdir(folder)}")
    print(f"{options.kills} kills: {old} times the old state, {new} times the new one; {leftovers} times a part of a file was left behind "
          f"(moments up to {span:.3f} s after a save)")
    if leftovers == 0:
        print("no kill came while a file was being written, so this proves nothing", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
