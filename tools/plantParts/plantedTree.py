"""A copy of a tree into which faults are planted, each with a switch of its own, so that one build serves all of them.

A planted source asks planted::is(NAME). The environment variable FERRY_PLANTED of a process names the fault that it has; without the
variable it has none. The variable FERRY_PLANTED_REACHED names a file: each switch that the process and its children reach sets its byte.
"""
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile

VARIABLE = "FERRY_PLANTED"
REACHED = "FERRY_PLANTED_REACHED"
REACHED_BYTES = 1 << 20    # two switches seldom share a byte; one that shares it is at worst shown to tests that do not reach it
MEMORY_BYTES = 8 << 30    # that a test may write; a fault in a length must not take the machine's memory
SWITCHES = """#pragma once
#pragma GCC diagnostic ignored "-Wparentheses"    // a == Turn{...} == b

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace planted {

inline constexpr std::uint32_t ReachedBytes = %d;

/// The bytes of the file that notes the switches which were reached. Null without such a file.
inline volatile unsigned char* reachedBytes() noexcept {
    const char* path = std::getenv("FERRY_PLANTED_REACHED");
    const int file = path == nullptr ? -1 : ::open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return nullptr;
    void* bytes = ::mmap(nullptr, ReachedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    return bytes == MAP_FAILED ? nullptr : static_cast<unsigned char*>(bytes);
}

/// FNV-1a, as slotOf in plantedTree.py.
inline std::uint32_t slotOf(const char* name) noexcept {
    std::uint32_t hash = 2166136261u;
    for (; *name != 0; ++name) hash = (hash ^ static_cast<unsigned char>(*name)) * 16777619u;
    return hash & (ReachedBytes - 1);
}

inline bool is(const char* name) noexcept {
    static const char* const wanted = std::getenv("FERRY_PLANTED");
    static volatile unsigned char* const reached = reachedBytes();
    if (reached != nullptr) __atomic_store_n(&reached[slotOf(name)], static_cast<unsigned char>(1), __ATOMIC_RELAXED);
    return wanted != nullptr && std::strcmp(wanted, name) == 0;
}

/// left < Turn<std::less<>, std::less_equal<>>{"name"} < right: compares by the second when the fault is there, else by the first.
template <class Before, class After>
struct Turn {
    const char* name;
};
template <class Left, class Before, class After>
struct LeftSide {
    const Left& left;
    const char* name;

    template <class Right>
    bool with(const Right& right) const {
        return is(name) ? After()(left, right) : Before()(left, right);
    }
};

""" % REACHED_BYTES + "".join(f"""template <class Left, class Before, class After>
LeftSide<Left, Before, After> operator{sign}(const Left& left, Turn<Before, After> turn) {{
    return {{left, turn.name}};
}}
template <class Left, class Before, class After, class Right>
bool operator{sign}(const LeftSide<Left, Before, After>& left, const Right& right) {{
    return left.with(right);
}}
""" for sign in ("<", "<=", ">", ">=", "==", "!=")) + """
}    // namespace planted
"""


class PlantedTree:
    """The copy, with its build and its programs.

    plan: "configure" and "build", commands in the copy; {target} and {jobs} are replaced, the first one by all targets. "bin": the folder of the built programs.
    """

    def __init__(self, root, folder, plan, wrap, jobs):
        self.path, self.plan, self.wrap, self.jobs = os.path.join(folder, "tree"), plan, wrap, jobs
        self.switches = os.path.join(folder, "planted.hpp")
        self.before = {}    # the text of each source with a fault, by path
        if not os.path.isdir(self.path):
            self.git("clone", "--quiet", root, self.path, at=folder)
        self.git("fetch", "--quiet", root, "HEAD")    # the copy may come from another clone
        head = self.git("rev-parse", "HEAD", at=root)
        if head != self.git("rev-parse", "HEAD"):
            self.git("checkout", "--quiet", "--force", head)
        self.git("checkout", "--quiet", "--", ".")    # the faults of a run that was killed
        if not os.path.exists(self.switches) or self.read(self.switches) != SWITCHES:    # a new text has all planted sources built again
            self.write(self.switches, SWITCHES)
        if plan.get("configure"):
            subprocess.run(plan["configure"], cwd=self.path, check=True, stdout=subprocess.DEVNULL)

    def git(self, *arguments, at=None):
        return subprocess.run(["git", "-C", at or self.path, *arguments], capture_output=True, text=True, check=True).stdout.strip()

    @staticmethod
    def write(path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, path):
        with open(os.path.join(self.path, path), encoding="utf-8") as file:
            return file.read()

    def plant(self, texts):
        """Gives the sources these texts, which may ask planted::is, and all others their own. texts: by path in the tree."""
        for path in [path for path in self.before if path not in texts]:
            self.write(os.path.join(self.path, path), self.before.pop(path))
        for path, text in texts.items():
            self.before.setdefault(path, self.read(path))
            self.write(os.path.join(self.path, path), f'#include "{self.switches}"\n#line 1\n{text}')

    def build(self, *targets):
        """The output of a build that failed, or nothing."""
        command = [*self.wrap]
        for each in self.plan["build"]:
            command += targets if each == "{target}" else [each.format(jobs=self.jobs)]
        built = subprocess.run(command, cwd=self.path, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return built.stdout or f"status {built.returncode}" if built.returncode != 0 else None

    def program(self, command):
        """The command with the folder of the built programs in the place of {bin}, and that of the copy in the place of {tree}."""
        return [each.replace("{bin}", os.path.join(self.path, self.plan["bin"])).replace("{tree}", self.path) for each in command]

    def limitMemory(self):
        """For a child process. A sanitizer needs terabytes of addresses for itself."""
        if not self.plan.get("isSanitized"):
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))

    def run(self, command, seconds, fault=None, reached=None, output=subprocess.DEVNULL):
        """Runs a command with its children. Returns its status, or nothing when it does not end. {bin} and {tree} are replaced.

        reached: a file of REACHED_BYTES bytes, in which each switch that the command reaches sets the byte slotOf(name).
        """
        environment = {name: value for name, value in os.environ.items() if name not in (VARIABLE, REACHED)}
        if fault is not None:
            environment[VARIABLE] = fault
        if reached is not None:
            environment[REACHED] = reached
        folder = tempfile.mkdtemp(prefix="planted-")
        process = subprocess.Popen(self.program(command), stdout=output, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd=folder,
                                   env=environment, start_new_session=True,
                                   preexec_fn=self.limitMemory)
        try:
            return process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            shutil.rmtree(folder, ignore_errors=True)

    def reachedBy(self, command, seconds):
        """Runs a command without a fault. Returns its status, as run(), and the slots of all switches that it reached, sorted."""
        with tempfile.NamedTemporaryFile(prefix="planted-") as file:
            file.truncate(REACHED_BYTES)
            status = self.run(command, seconds, reached=file.name)
            return status, [place.start() for place in re.finditer(b"\x01", file.read())]


def slotOf(name):
    """The byte of a switch in the file of the switches that were reached: FNV-1a, as slotOf in the header of the switches."""
    number = 2166136261
    for byte in name.encode():
        number = ((number ^ byte) * 16777619) & 0xFFFFFFFF
    return number & (REACHED_BYTES - 1)


def placesIn(output):
    """The places that a compiler names: pairs of a path and a line."""
    return {(path, int(line)) for path, line in re.findall(r"([^\s:(\"']+\.cpp):(\d+)", output)}


def errorPlacesIn(output):
    """The places of the errors alone: pairs of a path and a line."""
    return {(path, int(line)) for path, line in re.findall(r"^([^\s:]+\.cpp):(\d+):(?:\d+:)? (?:fatal )?error:", output, re.MULTILINE)}


def errorsIn(output):
    """The first lines with which a compiler or a linker refuses, or the end of the output."""
    lines = [line for line in output.splitlines() if re.search(r"error:|undefined reference|multiple definition", line)]
    return "\n".join(lines[:8]) or output[-2000:]


def describeStatus(status):
    """How a test has ended that found a fault. status: nothing when it did not end."""
    if status is None:
        return "does not end"
    return f"dies by signal {-status}" if status < 0 else f"fails with status {status}"
