"""ferry doctor: says what Ferry can do on this machine, what is wrong, and the cure."""
import argparse
import glob
import importlib.machinery
import importlib.util
import json
import os
import platform
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
from collections import namedtuple

PROBE_S = 60                    # time for a probe to end
VERSION_S = 30                  # time for a program to say its version
SMALL_SHARED_MEMORY = 64 << 20  # bytes; containers often have no more
FEW_FILES = 1024                # open files: each rank holds a connection to rank 0, and MPI some more
FEW_PROCESSES = 512
DEBIAN_PYTHON_PACKAGES = "/usr/lib/python3/dist-packages"    # ferrygen looks there too

# state: ok, note (works, with a limit) or wrong (something that Ferry needs does not work)
Finding = namedtuple("Finding", "subject state text cure", defaults=[""])


def ok(subject, text):
    return Finding(subject, "ok", text)


def note(subject, text, cure=""):
    return Finding(subject, "note", text, cure)


def wrong(subject, text, cure):
    return Finding(subject, "wrong", text, cure)


def saidBy(command, limitS, **more):
    """Runs a program in a session of its own. Returns its status and all that it printed; the status is None when it did not end in time."""
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                   start_new_session=True, **more)
    except OSError as error:
        return 127, f"{command[0]}: {error.strerror}"
    try:
        text, _ = process.communicate(timeout=limitS)
        return process.returncode, text
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        text, _ = process.communicate()
        return None, text


def valuesIn(text):
    """Returns the lines `name=value` of a probe."""
    return dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))


def sizeText(count):
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:.0f} {unit}"
        count /= 1024


def limitText(value):
    return "unlimited" if value == resource.RLIM_INFINITY else str(value)


class Examination:
    """All that is found out, one step after the other."""

    def __init__(self, version, ferryrun, probe, launcher):
        self.version, self.ferryrun, self.probe = version, ferryrun, probe
        self.launcher = launcher
        self.launcherKind = None
        self.findings = []

    def add(self, finding):
        self.findings.append(finding)

    def all(self):
        self.ferry()
        self.compilers()
        alone = self.threads()
        self.launchers()
        self.underLauncher(alone)
        self.guard()
        self.generator()
        self.sharedMemory()
        self.limits()
        self.host()
        return self.findings

    def ferry(self):
        self.add(ok("Ferry", f"version {self.version}"))
        self.add(ok("system", f"{platform.system()} {platform.release()}, {platform.machine()}, {len(os.sched_getaffinity(0))} cores"))
        if platform.system() != "Linux":
            self.add(wrong("system", f"Ferry was tried on Linux alone, and this is {platform.system()}", "use Linux"))

    def compilers(self):
        found = []
        for name, least in (("g++", 12), ("clang++", 14)):
            if shutil.which(name):
                _, text = saidBy([name, "-dumpversion"], VERSION_S)
                major = re.match(r"\d+", text)
                if major and int(major.group()) >= least:
                    found.append(f"{name} {text.strip()}")
        if found:
            self.add(ok("compiler", ", ".join(found)))
        else:
            self.add(wrong("compiler", "no g++ 12 or clang++ 14, or newer, in PATH: programs cannot be built", "apt-get install g++"))
        if not shutil.which("cmake"):
            self.add(note("cmake", "not found: programs can be built by hand alone", "apt-get install cmake"))

    def threads(self):
        """Runs the probe with threads as ranks. Returns the values that it told."""
        if self.probe is None:
            self.add(wrong("ferryProbe", "not found: nothing can be tried", "install Ferry's component tools, or build the target ferryProbe"))
            return {}
        environment = {name: value for name, value in os.environ.items() if not re.match(r"OMPI_|PMIX_|PMI_|SLURM_STEP", name)}
        status, text = saidBy([self.probe], PROBE_S, env=environment)
        values = valuesIn(text)
        if status == 0 and values.get("object") == values.get("exception") == "arrived":
            self.add(ok("threads", "2 ranks as threads: an object and an exception arrived"))
        else:
            self.add(wrong("threads", f"2 ranks as threads failed ({self.ending(status)}): {complaintIn(text)}",
                           "look at the libraries that ferryProbe needs: ldd " + self.probe))
        if "version" in values and self.version not in ("unknown", values["version"]):
            self.add(wrong("Ferry", f"these programs are of version {self.version}, the library of {values['version']}", "install one Ferry only"))
        return values

    @staticmethod
    def ending(status):
        return f"no end within {PROBE_S} s" if status is None else f"status {status}"

    def launchers(self):
        if self.ferryrun is None:
            self.add(wrong("ferryrun", "not found", "install Ferry's component tools"))
            return
        path = shutil.which(self.launcher)
        if path is None:
            self.add(note("launcher", f"no {self.launcher} in PATH: ranks are threads of one process here",
                          "apt-get install openmpi-bin, or name another launcher with --launcher or FERRY_LAUNCHER"))
            return
        # A module of its own name: what it prints belongs to this report.
        loader = importlib.machinery.SourceFileLoader("ferryrunOfDoctor", self.ferryrun)
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(module)
        said = []
        module.say = said.append
        try:
            name, version = module.mpiOf(path)
            _, _, reason = module.planFor(path)
        except SystemExit:
            self.add(wrong("launcher", said[0] if said else f"{path} says no version", "name the launcher of an MPI with --launcher"))
            return
        self.launcherKind = name
        self.launcher = path
        self.add(ok("launcher", f"{path}: {name}{f' {version}' if version else ''}"))
        if reason is None:
            self.add(ok("deaths", "ferry run lets a job survive slaves that die"))
        else:
            self.add(note("deaths", f"a job ends when a rank dies: {reason}", "Open MPI 4 or newer lets jobs survive"))

    def underLauncher(self, alone):
        """Runs the probe under the launcher, with two ranks."""
        built = alone.get("builtFor")
        if built == "no MPI":
            self.add(note("MPI", "this Ferry was built without MPI: ranks are threads or simulated", "build it with FERRY_WITH_MPI=ON"))
            return
        if self.probe is None or self.launcherKind is None:
            return
        count = "-n" if self.launcherKind == "Slurm" else "-np"
        status, text = saidBy([self.launcher, count, "2", self.probe, "--mpi"], PROBE_S)
        values = valuesIn(text)
        if status == 0 and values.get("ranks") == "2" and values.get("object") == values.get("exception") == "arrived":
            self.add(ok("MPI", f"{values['mpi']}, 2 ranks under the launcher: an object and an exception arrived"))
            self.threadLevel(values)
            if built and not sameMpi(built, values["mpi"]):
                self.add(wrong("MPI", f"Ferry was built for {built}, and the program runs with {values['mpi']}",
                               "build Ferry with this MPI, or load the module of the other one"))
            return
        self.add(wrong("MPI", f"2 ranks under the launcher failed ({self.ending(status)}): {complaintIn(text)}", cureFor(text, values, built)))

    def threadLevel(self, values):
        level = values.get("threads", "")
        if level == "MPI_THREAD_SINGLE":
            self.add(wrong("threads of MPI", "MPI offers MPI_THREAD_SINGLE alone, and Ferry needs MPI_THREAD_FUNNELED", "use an MPI with threads"))
        else:
            self.add(ok("threads of MPI", f"up to {level}; Ferry asks for MPI_THREAD_FUNNELED"))

    def guard(self):
        if self.ferryrun is None:
            return
        here = os.path.dirname(self.ferryrun)
        root = os.path.dirname(here)
        places = [path for pattern in ("lib*", "lib/*", "build/release/guard/preload")
                  for path in glob.glob(os.path.join(root, pattern, "libferry_guard.so"))]
        if places:
            self.add(ok("guard", f"ferry run --guard runs programs that know nothing of Ferry ({os.path.realpath(places[0])})"))
        else:
            self.add(note("guard", "libferry_guard.so was not found: ferry run --guard is not possible",
                          "install Ferry's component guard, or build the target ferry_guard"))

    def generator(self):
        isThere = importlib.util.find_spec("clang") is not None or os.path.isdir(os.path.join(DEBIAN_PYTHON_PACKAGES, "clang"))
        if not isThere:
            self.add(note("ferry gen", "the Python module of libclang was not found: no views can be made", "apt-get install python3-clang"))
        else:
            self.add(ok("ferry gen", "libclang's Python module is there"))

    def sharedMemory(self):
        try:
            state = os.statvfs("/dev/shm")
        except OSError as error:
            self.add(wrong("shared memory", f"/dev/shm cannot be used: {error.strerror}", "mount a tmpfs there"))
            return
        free = state.f_bavail * state.f_frsize
        if not os.access("/dev/shm", os.W_OK | os.X_OK):
            self.add(wrong("shared memory", "/dev/shm cannot be written", "ask for its rights to be 1777"))
        elif free < SMALL_SHARED_MEMORY:
            self.add(note("shared memory", f"{sizeText(free)} are free in /dev/shm: many ranks on this host may fail to start",
                          "give a container more: docker run --shm-size=1g"))
        else:
            self.add(ok("shared memory", f"{sizeText(free)} are free in /dev/shm"))

    def limits(self):
        files, mostFiles = resource.getrlimit(resource.RLIMIT_NOFILE)
        processes, _ = resource.getrlimit(resource.RLIMIT_NPROC)
        text = f"{limitText(files)} open files, {limitText(processes)} processes and threads"
        if files != resource.RLIM_INFINITY and files < FEW_FILES:
            self.add(note("limits", f"{text}: rank 0 holds a connection to each other rank", f"ulimit -n {limitText(mostFiles)}"))
        elif processes != resource.RLIM_INFINITY and processes < FEW_PROCESSES:
            self.add(note("limits", f"{text}: MPI starts threads in each rank", "ulimit -u 4096"))
        else:
            self.add(ok("limits", text))
        memory, _ = resource.getrlimit(resource.RLIMIT_AS)
        if memory != resource.RLIM_INFINITY:
            self.add(note("limits", f"a process may have {sizeText(memory)} of address space, and MPI maps much of it", "ulimit -v unlimited"))
        folder = os.environ.get("TMPDIR", "/tmp")
        if not os.access(folder, os.W_OK | os.X_OK):
            self.add(wrong("temporary files", f"{folder} cannot be written, and launchers keep their sessions there", "set TMPDIR to another folder"))

    def host(self):
        name = socket.gethostname()
        try:
            socket.getaddrinfo(name, None)
        except OSError:
            self.add(note("host", f"the name of this host, {name}, has no address: some launchers wait long for one",
                          f"add it to /etc/hosts: 127.0.1.1 {name}"))
        else:
            self.add(ok("host", f"{name} has an address"))
        if os.environ.get("SLURM_JOB_ID"):
            self.add(ok("Slurm", f"inside of allocation {os.environ['SLURM_JOB_ID']}"))


def complaintIn(text):
    """Returns the first line that is neither a frame nor an answer of the probe."""
    lines = [line.strip() for line in text.splitlines() if line.strip(" -=*\t") and not re.match(r"\w+=", line)]
    return lines[0][:200] if lines else "nothing was said"


def sameMpi(built, library):
    """Tells whether a program that was built for one MPI runs with its own library: the kinds are equal, and Open MPI's main versions too."""
    kinds = [next((kind for kind in ("Open MPI", "Intel", "MPICH") if kind in text), text) for text in (built, library)]
    if kinds[0] != kinds[1]:
        return {"Intel", "MPICH"} == set(kinds)    # they share one binary interface
    mains = [re.search(r"\d+", text) for text in (built, library)]
    return kinds[0] != "Open MPI" or None in mains or mains[0].group() == mains[1].group()


def cureFor(text, values, built):
    """Returns the cure for a probe that failed under the launcher."""
    if "ALLOW_RUN_AS_ROOT" in text or "as root" in text:
        return "do not run as root, or set OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
    if "not enough slots" in text:
        return "give the launcher more slots: --oversubscribe, or OMPI_MCA_rmaps_base_oversubscribe=1"
    if values.get("ranks") == "1":
        return f"the launcher belongs to another MPI than the library (Ferry was built for {built}): take the launcher of that MPI"
    if "error while loading shared libraries" in text:
        return "a library is missing: load the module of the MPI that Ferry was built for, or set LD_LIBRARY_PATH"
    return "the program ferryProbe --mpi, started by hand under the launcher, shows all that it prints"


def main(arguments, version, ferryrun, probe):
    parser = argparse.ArgumentParser(prog="ferry doctor", allow_abbrev=False,
                                     description="Says what Ferry can do on this machine, what is wrong, and the cure. Exit status: 0 all that "
                                     "Ferry needs works, 1 something is wrong, 2 a wrong call.")
    parser.add_argument("--launcher", default=os.environ.get("FERRY_LAUNCHER", "mpirun"), metavar="PROGRAM",
                        help="the launcher of the MPI (default: mpirun, or what FERRY_LAUNCHER says)")
    parser.add_argument("--json", action="store_true", help="the findings as JSON")
    options = parser.parse_args(arguments)
    findings = Examination(version, ferryrun, probe, options.launcher).all()
    wrongCount = sum(finding.state == "wrong" for finding in findings)
    if options.json:
        print(json.dumps({"version": version, "findings": [finding._asdict() for finding in findings]}, indent=2))
    else:
        for finding in findings:
            print(f"{finding.state.upper() if finding.state == 'wrong' else finding.state:<6} {finding.subject + ':':<16} {finding.text}")
            if finding.cure:
                print(f"{'':<23} cure: {finding.cure}")
        print("\nAll that Ferry needs works here." if wrongCount == 0 else
              f"\n{wrongCount} {'thing is' if wrongCount == 1 else 'things are'} wrong: the lines with WRONG name each cure.")
    return 1 if wrongCount else 0
