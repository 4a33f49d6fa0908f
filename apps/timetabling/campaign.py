"""What the programs beside this file share, which run `timetabling solve` many times."""
import csv
import os
import signal
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEFAULT_PROGRAM = os.path.join(ROOT, "build", "release", "bin", "timetabling")
ENDINGS = (".ctt", ".ectt", ".tim")


def requireProgram(program, parser):
    if not os.access(program, os.X_OK):
        parser.error(f"{program} cannot be run; build it, or name it with --program")


def instancesIn(path):
    if not os.path.isdir(path) or os.path.exists(os.path.join(path, "week.csv")):
        return [path]
    return sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(ENDINGS))


def named(paths):
    """Returns the paths by a short name for each. Files of one name in different folders keep their folders in the name."""
    short = [os.path.splitext(os.path.basename(os.path.normpath(path)))[0] for path in paths]
    return {name if short.count(name) == 1 else path: path for name, path in zip(short, paths)}


def output(command, limit):
    """Runs the command. Returns exit status, stdout and stderr. The status is 'hung' for a run that had to be killed."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                               start_new_session=True)
    try:
        out, errors = process.communicate(timeout=limit)
        return process.returncode, out, errors
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return ("hung", *process.communicate())


def writeTable(path, head, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])
