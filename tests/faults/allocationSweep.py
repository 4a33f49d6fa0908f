"""Runs a program again and again, and each time another allocation of one of its ranks fails (OOM_RANK, OOM_AT, OOM_FOR; see chaos.cpp).

Every run must end in time, with status 0, with 80 (a std::bad_alloc reached the program), or with another status and a report that does
not speak of a deadlock; and no process may be left.

allocationSweep.py PROGRAM MODE[,MODE...] [--ranks 0,1] [--numbers FIRST:LAST:STEP] [--for K] [--limit SECONDS] [--arguments WORDS] [-- LAUNCHER WORDS]
"""
import argparse
import collections
import os
import re
import shutil
import signal
import subprocess
import sys
import time

wrongStatuses = {77: "lost or wrong values", 78: "a failed region was not noticed", 79: "an exception without its data",
                 81: "a task failed with something else", 82: "something else"}


def processesOf(session):
    """Returns the live processes of a session with their command lines."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            with open(f"/proc/{name}/cmdline", encoding="utf-8", errors="replace") as file:
                line = file.read().replace("\0", " ").strip()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append((int(name), line))
    return found


def endSession(session):
    for process, _ in processesOf(session):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def stacksOf(session):
    """Returns the stacks of the processes, if gdb is there."""
    text = ""
    for process, line in processesOf(session):
        text += f"    process {process}: {line}\n"
        if shutil.which("gdb") is None or "mpirun" in line.split(" ")[0]:
            continue
        told = subprocess.run(["gdb", "-p", str(process), "-batch", "-ex", "thread apply all bt 12"], capture_output=True, text=True,
                              errors="replace", timeout=300, check=False)
        text += "".join(f"      {each}\n" for each in told.stdout.splitlines() if each.startswith("#"))
    return text


def endingOf(status, out, err):
    """Checks a run that has ended. Returns a description of the problem; empty when there is none."""
    if "Deadlock" in out + err or "deadlock" in out + err:
        return "speaks of a deadlock"
    if "GARBAGE" in out:
        return "received what nobody has sent"
    if status in (0, 80):
        return ""
    if status in wrongStatuses:
        return wrongStatuses[status]
    if status < 0 or status >= 128:
        return f"ended by signal {-status if status < 0 else status - 128}"
    return "" if "ferry: " in err else f"status {status} without a report"


def run(command, variables, limit):
    """Returns a description of the problem, and the first line of standard error."""
    environment = dict(os.environ, **variables)
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                          start_new_session=True) as process:
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            stacks = stacksOf(process.pid)
            endSession(process.pid)
            process.communicate()
            return f"hangs\n{stacks}", "", None
    wrong = endingOf(process.returncode, out, err)
    for _ in range(20):
        left = processesOf(process.pid)
        if not left:
            break
        time.sleep(0.1)
    else:
        endSession(process.pid)
        wrong = wrong or f"leaves processes: {left}"
    first = err.strip().splitlines()[0] if err.strip() else ""
    return wrong, first, process.returncode


def main():
    words = sys.argv[1:]
    launcher = words[words.index("--") + 1:] if "--" in words else []
    words = words[:words.index("--")] if "--" in words else words
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("modes")
    parser.add_argument("--ranks", default="0,1")
    parser.add_argument("--numbers", default="1:60:7")
    parser.add_argument("--for", dest="failures", default="1")
    parser.add_argument("--limit", type=float, default=300)
    parser.add_argument("--arguments", default="")
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args(words)
    first, last, step = (int(word) for word in given.numbers.split(":"))
    begin = time.monotonic()
    endings = collections.Counter()
    faults = []
    for mode in given.modes.split(","):
        for rank in given.ranks.split(","):
            for number in range(first, last + 1, step):
                command = launcher + [given.program, mode] + given.arguments.split() + ["--ferry-quiet"]
                if not launcher:
                    command += ["--ferry-slaves", "3" if "--ferry-group-size" in given.arguments else "2"]
                variables = {"OOM_RANK": rank, "OOM_AT": str(number), "OOM_FOR": given.failures}
                wrong, line, status = run(command, variables, given.limit)
                endings[f"status {status}: " + re.sub(r"\d+", "#", line)[:100]] += 1
                if wrong:
                    faults.append(f"OOM_RANK={rank} OOM_AT={number} OOM_FOR={given.failures} {' '.join(command)}: {wrong}")
                    print("FAULT", faults[-1], line, flush=True)
    print(f"{sum(endings.values())} runs in {time.monotonic() - begin:.1f} s, {len(faults)} faults")
    if given.list:
        for ending, count in endings.most_common():
            print(f"  {count:5d}  {ending}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
