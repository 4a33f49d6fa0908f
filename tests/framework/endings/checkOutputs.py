#!/usr/bin/env python3
"""Runs outputs.cpp with reports and journals in places where they cannot be written, or that are something else than a file.

A report that cannot be written is told and changes no status, and no older report stays in its place. A journal that cannot be written fails the
job, once: one report names the journal. No run hangs.
"""
import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "acceptance"))
from launchedJob import addJobOptions, endProblems, parseJobOptions, runJob, showFailure    # noqa: E402 (the path comes first)

OLD = '{"status": 0, "failures": [], "endedByForce": null, "old": true}\n'
UNWRITTEN = "ferry: the report cannot be written"
STOPPED = "ferry: the job was stopped"


class Place:
    """A place of the report in a fresh folder. The path of the report; words for the program; whether the report can be written."""
    def __init__(self, path, words=(), written=False, target=None):
        self.path = path
        self.words = list(words)
        self.written = written
        self.target = target or path    # where the text must be
        self.text = None                # of a pipe

    def read(self):
        """Returns the text of the report: None when there is none."""
        if self.text is not None:
            return self.text
        try:
            return open(self.target, encoding="utf-8").read() if os.path.isfile(self.target) else None
        except OSError:
            return None


def inFolder(folder, name, text=None):
    path = os.path.join(folder, name)
    if text is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return path


def absent(folder):
    return Place(inFolder(folder, "none/report.json"))


def noPlaceForFiles(folder):
    return Place("/proc/self/report.json")


def fullDevice(folder):
    return Place("/dev/full")


def pipe(folder):
    os.mkfifo(inFolder(folder, "pipe"))
    return Place(inFolder(folder, "pipe"))


def pipeWithReader(folder):
    place = Place(inFolder(folder, "pipe"), written=True)
    os.mkfifo(place.path)
    descriptor = os.open(place.path, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)

    def read():
        os.set_blocking(descriptor, False)
        taken = b""
        while not stop.wait(0.01):
            try:
                taken += os.read(descriptor, 65536)
            except BlockingIOError:
                pass
        try:
            taken += os.read(descriptor, 65536)
        except BlockingIOError:
            pass
        os.close(descriptor)
        place.text = taken.decode()

    stop = threading.Event()
    reader = threading.Thread(target=read)
    reader.start()
    place.end = lambda: (stop.set(), reader.join())
    return place


def folderAsFile(folder):
    return Place(folder)


def fileAsFolder(folder):
    return Place(os.path.join(inFolder(folder, "file", "text"), "report.json"))


def old(folder):
    return Place(inFolder(folder, "report.json", OLD), written=True)


def link(folder):
    os.symlink("old.json", inFolder(folder, "link"))
    return Place(inFolder(folder, "link"), written=True, target=inFolder(folder, "old.json", OLD))


def linkToNothing(folder):
    os.symlink("new.json", inFolder(folder, "link"))
    return Place(inFolder(folder, "link"), written=True, target=inFolder(folder, "new.json"))


def circleOfLinks(folder):
    os.symlink("link", inFolder(folder, "link"))
    return Place(inFolder(folder, "link"))


def longName(folder):
    return Place(inFolder(folder, "r" * 300))


def limited(folder):
    return Place(inFolder(folder, "report.json", OLD), ["limit", "16"])


def removed(folder):
    os.mkdir(inFolder(folder, "gone"))
    return Place(inFolder(os.path.join(folder, "gone"), "report.json", OLD), ["gone", os.path.join(folder, "gone")])


PLACES = [absent, noPlaceForFiles, fullDevice, pipe, pipeWithReader, folderAsFile, fileAsFolder, old, link, linkToNothing, circleOfLinks, longName,
          limited, removed]


def reportProblems(place, result, status):
    errors = "\n".join(result.errors())
    text = place.read()
    problems = [] if result.status == status else [f"status {result.status} instead of {status}"]
    if errors.count(STOPPED) != (1 if status else 0):
        problems.append(f"{errors.count(STOPPED)} reports on standard error")
    if place.written != (UNWRITTEN not in errors):
        problems.append("that the report cannot be written is " + ("told" if place.written else "not told"))
    if place.written:
        try:
            if json.loads(text or "")["status"] != status:
                problems.append(f"the report says another status: {text}")
        except ValueError:
            problems.append(f"the report is no JSON: {text!r}")
    elif text:
        problems.append(f"an old or torn report is there: {text!r}")
    return problems


def runReports(options):
    for make in PLACES:
        for how, status in (("done", 0), ("fails", 1)):
            with tempfile.TemporaryDirectory() as folder:
                place = make(folder)
                result = runJob(options, [how, *place.words, "--ferry-report", place.path])
                if hasattr(place, "end"):
                    place.end()
                yield f"report {make.__name__} {how}", result, reportProblems(place, result, status)


def journalProblems(result, path, failedTasks):
    errors = "\n".join(result.errors())
    problems = [] if result.status == 1 else [f"status {result.status} instead of 1"]
    if errors.count(STOPPED) != 1 or errors.count(path) != 1 or "FileError" not in errors:
        problems.append("expected one report that names the journal once")
    if failedTasks is not None and [line for line in result.output() if line.startswith("failed")] not in ([], [f"failed tasks: {failedTasks}"]):
        problems.append("a failure of the journal is taken for failures of tasks")
    return problems


@contextlib.contextmanager
def smallDisk():
    """A file system of 64 KiB. None where this process may not make one."""
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", folder], capture_output=True, check=False).returncode == 0
        try:
            yield folder if made else None
        finally:
            if made:
                subprocess.run(["umount", folder], check=True)


def runJournals(options):
    for flush in ("0", "1000"):
        with tempfile.TemporaryDirectory() as folder:
            path = inFolder(folder, "journal")
            for name, words in (("limited", ["limit", "2000"]), ("removed", ["gone", folder])):
                result = runJob(options, ["done", *words, "--ferry-journal", path, "--ferry-journal-flush", flush])
                yield f"journal {name}, flush {flush}", result, journalProblems(result, path, None if name == "removed" and flush == "1000" else 1)
                os.makedirs(folder, exist_ok=True)
                shutil.rmtree(path, ignore_errors=True)
    with smallDisk() as folder:
        if folder is None:
            print("no file system could be made: a full disk was not tried")
            return
        path = inFolder(folder, "journal")
        result = runJob(options, ["done", "full", folder, "--ferry-journal", path])
        yield "journal on a full disk", result, journalProblems(result, path, 1)
        for how, status in (("done", 0), ("fails", 1)):
            for name in os.listdir(folder):
                os.remove(os.path.join(folder, name))
            report = inFolder(folder, "report.json", OLD)
            result = runJob(options, [how, "full", folder, "--ferry-report", report])
            yield f"report on a full disk {how}", result, reportProblems(Place(report), result, status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    addJobOptions(parser)
    options = parseJobOptions(parser)
    runs, failures = 0, 0
    for part in (runReports, runJournals):
        for name, result, problems in part(options):
            runs += 1
            problems = problems + endProblems(result, options)
            if problems:
                failures += 1
                showFailure(name, result, problems)
    print(f"{options.launcher}, {options.ranks} ranks: {runs} runs, {failures} failed")
    return 1 if failures else 0


sys.exit(main())
