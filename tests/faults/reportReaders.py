#!/usr/bin/env python3
"""Runs causeAtEnd with a standard error that nobody reads, or whose reader has gone. The report of the job is then in the file of
--ferry-report, and the job ends with its own status or by the signal that is sent to it. With a launcher (FERRYRUN), looks at the report of a
job that goes on when the process of a slave has ended by force.

reportReaders.py PROGRAM (broken | full | quick | unwritten | names | lost FERRYRUN)"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time


def report_of(path):
    with open(path) as file:
        return json.load(file)


def broken(program, path):
    """The reader has gone: writing to standard error raises SIGPIPE."""
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run([program, "exitHandler", "--ferry-report", path], stderr=theirs, restore_signals=True)
    assert done.returncode == 6, f"expected status 6, found {done.returncode}"
    assert "the cause" in json.dumps(report_of(path)), report_of(path)


def fullPipe():
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    try:
        while True:
            os.write(theirs, b"x" * 512)
    except BlockingIOError:
        pass
    os.set_blocking(theirs, True)
    return ours, theirs


def quick(program, path):
    """The pipe is full. The last line of the process waits for a reader, but not for ever."""
    ours, theirs = fullPipe()
    done = subprocess.run([program, "quickExit", "--ferry-report", path], stderr=theirs, timeout=300)
    assert done.returncode == 5, done.returncode
    os.close(ours)


def unwritten(program, path):
    """The pipe is full, and the report cannot be written either. A signal ends the job."""
    ours, theirs = fullPipe()
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)    # the job begins with a reader
    job = subprocess.Popen([program, "exitHandler", "--ferry-report", path, "--ferry-grace", "0.5"], stderr=theirs)
    time.sleep(2)
    os.close(reader)
    job.send_signal(signal.SIGTERM)
    assert job.wait(60) != 0
    os.close(ours)


def full(program, path):
    """The pipe is full, so the job's report waits for a reader. A signal ends the job all the same."""
    ours, theirs = fullPipe()
    job = subprocess.Popen([program, "exitHandler", "--ferry-report", path, "--ferry-grace", "0.5"], stderr=theirs)
    time.sleep(2)
    assert job.poll() is None, "expected a job that waits for the reader of its report"
    job.send_signal(signal.SIGTERM)
    assert job.wait(60) != 0
    assert report_of(path)["status"] != 0, report_of(path)
    os.close(ours)


def names(program, path):
    """No name of a file brings a line of its own, nor an escape of a terminal."""
    name = os.path.join(os.path.dirname(path), "no folder", "a\nferry: forged\x1b[31m")
    for option in "--ferry-report", "--ferry-journal", "--ferry-trace", "--ferry-statistics":
        done = subprocess.run([program, "handlerExit", option, name], stderr=subprocess.PIPE, text=True)
        assert "forged" in done.stderr, done.stderr
        assert "\nferry: forged" not in done.stderr and "\x1b" not in done.stderr, done.stderr


def lost(program, path, ferryrun):
    """Each slave of the only task ends by force. The job goes on, and ends in order."""
    done = subprocess.run([ferryrun, "-np", "4", program, "endingThread", "--ferry-report", path, "--ferry-quiet"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    assert "the task was given up" in done.stdout and "the cause" in done.stdout, done.stdout
    assert "the rank is ended by force" in done.stdout and "the job is ended by force" not in done.stdout, done.stdout
    assert report_of(path) == {"status": 0, "failures": [], "endedByForce": None}, report_of(path)


def main():
    program, case, *more = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        {"broken": broken, "full": full, "quick": quick, "unwritten": unwritten, "names": names, "lost": lost}[case](program, os.path.join(folder, "report.json"), *more)


main()
