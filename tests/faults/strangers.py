"""A stranger watches the folder in which a program saves: saveRace.py (takes the lock of each new file) or saveSpy.py (reads each new file).

usage: strangers.py SAVER race|spy COUNT

The program must end by itself after COUNT saves, and the stranger must have read nothing. As root the stranger is the user nobody. Else it is
the same user, who may read the files: then only the race is run, and the test says so (spy: exit status 77, not run)."""
import os
import select
import signal
import subprocess
import sys
import tempfile

NOBODY = 65534
HERE = os.path.dirname(os.path.abspath(__file__))


class Clock:
    """The clock of the script: it ends the script's time when the parent says so."""
    isOver = False

    def time(self):
        return 1e9 if self.isOver else 0.0


def beStranger(script, arguments, output):
    """Runs the script in a child process. Only its clock is replaced."""
    import ctypes, fcntl, select    # noqa: imported early, since the other user may not be able to read Python's own files
    with open(os.path.join(HERE, script), encoding="utf-8") as file:
        program = compile(file.read(), script, "exec")
    clock = sys.modules["time"] = Clock()
    signal.signal(signal.SIGUSR1, lambda *_: setattr(clock, "isOver", True))
    os.dup2(output, 1)
    ctypes.CDLL(None)
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    sys.argv = [script, *arguments]
    exec(program, {"__name__": "__main__"})
    sys.stdout.flush()


def start(script, arguments):
    """Starts the child. Returns its id and its output. The child already watches the folder when this returns."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            beStranger(script, arguments, writing)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    while not isWatching(child):
        if os.waitpid(child, os.WNOHANG) != (0, 0):
            sys.exit("the stranger has ended before it watched the folder")
        select.select([], [], [], 0.01)
    return child, reading


def isWatching(process):
    folder = f"/proc/{process}/fdinfo"
    for name in os.listdir(folder):
        try:
            with open(os.path.join(folder, name), encoding="ascii") as file:
                if "inotify wd:" in file.read():
                    return True
        except FileNotFoundError:
            pass
    return False


def main(saver, attack, count):
    if attack == "spy" and os.geteuid() != 0:
        print("not run: only root can become another user")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = os.path.join(folder, "secret")
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        script, arguments = ("saveRace.py", [folder, "1"]) if attack == "race" else ("saveSpy.py", [folder, "1", ".ferry-"])
        child, reading = start(script, arguments)
        print(f"the stranger is {'the user nobody' if os.geteuid() == 0 else 'the same user'}")
        try:
            done = subprocess.run([saver, path, count], stdout=subprocess.PIPE, text=True)    # the timeout of the test finds a hang
        finally:
            os.kill(child, signal.SIGUSR1)
        with open(reading, encoding="utf-8") as file:
            told = file.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        summary = told.splitlines()[-1] if told else ""
        print(done.stdout + summary)
        seen = int(summary.split()[0]) if summary else 0
        problems = []
        if done.returncode != 0:
            problems.append(f"the saver has ended with status {done.returncode}")
        if status != 0 or seen == 0:
            problems.append(f"the stranger has seen {seen} new files and ended with status {status}")
        if attack == "spy" and "the contents of 0 read" not in summary:
            problems.append("the stranger has read a file that only its owner may read")
        if os.geteuid() == 0 and attack == "race" and ", 0 locked first" not in summary:
            problems.append("the stranger has locked a file")
        if sorted(os.listdir(folder)) != ["secret"]:
            problems.append(f"the folder holds {os.listdir(folder)}")
        if os.stat(path).st_mode & 0o777 != 0o600:
            problems.append(f"the rights of the file have become {os.stat(path).st_mode & 0o777:o}")
    for problem in problems:
        print("FAILED: " + problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
