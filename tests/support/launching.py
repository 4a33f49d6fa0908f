"""Starts programs with a limit of time, and ends them with all that they have started.

A program that reaches its limit is a hang: standard error says at once which command line hung, its stacks and its output so far, and every
process that it has started is killed, also ranks that mpirun has put into process groups of their own.
"""
import atexit
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid

LIMIT_S = 300              # for one launch; below the limit of a CTest entry (FERRY_TEST_TIMEOUT_S)
READ_GRACE_S = 60          # how long a pipe may stay open after its program has ended; a process that was left behind holds it
MOST_SHOWN_LINES = 60
MARK = "FERRY_TEST_JOB"    # every process of a launch carries the names of all launches around it

# A shell starts background processes with the first two signals ignored, and nohup does so with the third. A program inherits that.
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)


class Hung(AssertionError):
    """A program did not end, or did not say what was awaited, within its limit."""


def areLines(text, lines):
    """Whether an output of several ranks is these lines, in any order. A launcher may pass on another rank's line before the end of a line."""
    for line in sorted(lines, key=len, reverse=True):
        before, found, after = text.partition(line)
        if not found:
            return False
        text = before + after
    return not text.strip("\n")


def withMark(mark, environment=None):
    """Returns the environment of a launch. A driver that is launched by a driver adds its own name."""
    environment = dict(os.environ if environment is None else environment)
    environment[MARK] = " ".join(filter(None, [os.environ.get(MARK), mark]))
    return environment


def newMark():
    return uuid.uuid4().hex


def processesOf(mark):
    """Returns the ids of the live processes that carry a mark. Zombies do not count."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                variables = file.read().split(b"\0")
            marks = next((one for one in variables if one.startswith(f"{MARK}=".encode())), b"")
            if mark.encode() not in marks:
                continue
            with open(f"/proc/{name}/stat", "rb") as file:
                state = file.read().rpartition(b")")[2].split()[0]
        except (OSError, IndexError):
            continue
        if state not in (b"Z", b"X"):
            found.append(int(name))
    return found


def commandLine(process):
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return f"{process}: " + file.read().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return f"{process}: (gone)"


def kill(processes):
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except OSError:
            pass


def killAll(mark):
    """Kills all processes with the mark, also those that a dying launcher still starts."""
    while processes := processesOf(mark):
        kill(processes)
        time.sleep(0.05)


def stacksOf(processes, limitS=60):
    """Returns the stacks of all threads of some processes, if gdb is there."""
    if shutil.which("gdb") is None:
        return "\n".join([commandLine(process) for process in processes] + ["(no gdb: no stacks)"])
    texts, end = [], time.monotonic() + limitS
    for process in processes[:20]:
        try:
            done = subprocess.run(["gdb", "-p", str(process), "-batch", "-ex", "thread apply all backtrace 40"], capture_output=True,
                                  text=True, errors="replace", timeout=max(end - time.monotonic(), 1), stdin=subprocess.DEVNULL)
            frames = [line for line in done.stdout.splitlines() if line.startswith(("#", "Thread"))]
        except subprocess.TimeoutExpired:
            frames = ["(gdb did not answer)"]
        texts.append("\n".join([commandLine(process)] + frames))
    return "\n".join(texts)


class Done:
    """How a program ended: exit status, and the texts of its standard output and standard error."""
    def __init__(self, args, returncode, stdout, stderr):
        self.args, self.returncode, self.stdout, self.stderr = args, returncode, stdout, stderr


class Launch:
    """A program that runs in a session of its own, whose output is collected while it runs.

    `limitS` counts from its start: for its end, and for each line that is awaited. `more` goes to Popen; what is not named there of the standard
    streams is collected, and standard input is empty.
    """
    def __init__(self, command, limitS=LIMIT_S, env=None, **more):
        self.command = [os.fspath(word) for word in command]
        self.limitS, self.begin, self.mark = limitS, time.monotonic(), newMark()
        self.texts = {"stdout": [], "stderr": []}
        self.openCount = 0
        self.changed = threading.Condition()
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
        self.process = subprocess.Popen(self.command, env=withMark(self.mark, env), text=True, errors="replace", start_new_session=True, **streams)
        self.pid = self.process.pid
        atexit.register(self.kill)    # a case that fails leaves no process behind
        self.readers = []
        for name in ("stdout", "stderr"):
            if stream := getattr(self.process, name):
                self.openCount += 1
                self.readers.append(threading.Thread(target=self._collect, args=(name, stream), daemon=True))
        for reader in self.readers:
            reader.start()

    def _collect(self, name, stream):
        try:
            for line in stream:
                with self.changed:
                    self.texts[name].append(line)
                    self.changed.notify_all()
        except ValueError:
            pass    # closed: a process that was left behind held the pipe
        with self.changed:
            self.openCount -= 1
            self.changed.notify_all()

    def _left(self):
        return max(self.begin + self.limitS - time.monotonic(), 0)

    def poll(self):
        return self.process.poll()

    def signal(self, number):
        """Sends the signal to the program alone."""
        self.process.send_signal(number)

    def awaitLine(self, pattern, stream="stderr", skip=0):
        """Waits for a line in which the pattern is found, after the first `skip` ones: its match, and how many lines there were up to it.

        A program that ends without such a line fails the test, one that goes on without it hangs.
        """
        seen = skip
        while True:
            with self.changed:
                hasMore = self.changed.wait_for(lambda: len(self.texts[stream]) > seen or self.openCount == 0, self._left())
                lines = self.texts[stream][seen:]
            for line in lines:
                seen += 1
                if match := re.search(pattern, line):
                    return match, seen
            if not hasMore:
                self._hang(f"no line with {pattern!r} within {self.limitS:g} s")
            if not lines:
                raise AssertionError(f"ended without a line with {pattern!r}: {self.describe()}")

    def finish(self):
        """Waits for the end of the program."""
        try:
            status = self.process.wait(self._left())
        except subprocess.TimeoutExpired:
            self._hang(f"no end within {self.limitS:g} s")
        if not self._endReading():
            self._hang(f"{READ_GRACE_S} s after its end, processes that it has started hold its output open")
        atexit.unregister(self.kill)
        return Done(self.command, status, "".join(self.texts["stdout"]), "".join(self.texts["stderr"]))

    def kill(self):
        """Ends the program and all processes that it has started. Prints nothing."""
        atexit.unregister(self.kill)
        killAll(self.mark)
        if self.process.poll() is None:
            os.killpg(self.pid, signal.SIGKILL)
        self.process.wait()
        self._endReading()

    def _endReading(self):
        """Returns False when another process still holds the pipes."""
        end = time.monotonic() + READ_GRACE_S
        for reader in self.readers:
            reader.join(max(end - time.monotonic(), 0))
        if any(reader.is_alive() for reader in self.readers):
            return False
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        return True

    def describe(self):
        with self.changed:
            texts = {name: lines[-MOST_SHOWN_LINES:] for name, lines in self.texts.items()}
        shown = [f"command: {' '.join(self.command)}"]
        for name, title in (("stdout", "standard output"), ("stderr", "standard error")):
            shown += [f"{title} so far:"] + ["    " + line.rstrip("\n") for line in texts[name]]
        return "\n".join(shown)

    def _hang(self, what):
        stacks = stacksOf(processesOf(self.mark))
        text = f"hung: {what}\n{self.describe()}\n{stacks}"
        print(text, file=sys.stderr, flush=True)    # at once, since the test entry may run out of time before it reports its cases
        self.kill()
        raise Hung(text)


def hasLauncherMissedAGoodbye(done):
    """Whether mpirun tells of a rank without MPI_Finalize, while no rank has said anything.

    A rank of Open MPI waits 2 s for the launcher to hear its goodbye in MPI_Finalize, and then exits all the same. A launcher that has not run for
    so long, on a busy machine, may find the rank's end before the goodbye.
    """
    told = re.fullmatch(r"\s*-{20,}\n(.*?)\n-{20,}\s*", done.stderr, re.DOTALL)
    return done.returncode == 1 and told is not None and "exiting improperly" in told[1] and "-" * 20 not in told[1]


def run(command, limitS=LIMIT_S, check=False, **more):
    """Runs a program to its end. With `check` a status other than 0 fails the test."""
    done = Launch(command, limitS, **more).finish()
    if hasLauncherMissedAGoodbye(done):
        print(f"launched again, since mpirun has missed the goodbye of a rank: {' '.join(done.args)}", file=sys.stderr, flush=True)
        done = Launch(command, limitS, **more).finish()
    if check and done.returncode != 0:
        raise AssertionError(f"status {done.returncode}: {' '.join(done.args)}\n{done.stdout}\n{done.stderr}")
    return done


def runOnRanks(command, mpiexec, ranks=None):
    """Runs a program to its end: under mpirun with a number of ranks, else alone. Returns its exit status, output and errors.

    The address sanitizer looks for leaks of the program alone. Under mpirun that would take two thirds of the time.
    """
    if ranks is None:
        done = run(command)
    else:
        addressOptions = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0:fast_unwind_on_malloc=1"
        done = run([mpiexec, "-np", str(ranks), *command], env=os.environ | {"ASAN_OPTIONS": addressOptions})
    return done.returncode, done.stdout, done.stderr


def awaitFile(path, limitS=LIMIT_S):
    """Waits until a file is there."""
    end = time.monotonic() + limitS
    while not os.path.exists(path):
        if time.monotonic() > end:
            raise Hung(f"hung: {path} was not made within {limitS:g} s")
        time.sleep(0.01)
