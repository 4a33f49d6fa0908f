"""A copy of a tree into which faults are planted, each with a switch of its own, so that one build serves all of them.

A planted source asks planted::is(NAME). The environment variable FERRY_PLANTED of a process names the fault that it has; without the
variable it has none.
"""
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile

VARIABLE = "FERRY_PLANTED"
MEMORY_BYTES = 8 << 30    # that a test may write; a fault in a length must not take the machine's memory
SWITCHES = """#pragma once

#include <cstdlib>
#include <cstring>
#include <functional>

namespace planted {

inline bool is(const char* name) noexcept {
    static const char* const wanted = std::getenv("FERRY_PLANTED");
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

""" + "".join(f"""template <class Left, class Before, class After>
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

    plan: "configure" and "build", commands in the copy; {target} and {jobs} are replaced. "bin": the folder of the built programs.
    """

    def __init__(self, root, folder, plan, wrap, jobs):
        self.path, self.plan, self.wrap, self.jobs = os.path.join(folder, "tree"), plan, wrap, jobs
        self.switches = os.path.join(folder, "planted.hpp")
        self.before = {}    # the text of each source with a fault, by path
        if not os.path.isdir(self.path):
            self.git("clone", "--quiet", root, self.path, at=folder)
        self.git("fetch", "--quiet", "origin")
        head = self.git("rev-parse", "HEAD", at=root)
        if head != self.git("rev-parse", "HEAD"):
            self.git("checkout", "--quiet", "--force", head)
        self.git("checkout", "--quiet", "--", ".")    # the faults of a run that was killed
        if not os.path.exists(self.switches):
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

    def build(self, target):
        """The output of a build that failed, or nothing."""
        command = [*self.wrap, *(each.format(target=target, jobs=self.jobs) for each in self.plan["build"])]
        built = subprocess.run(command, cwd=self.path, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return built.stdout or f"status {built.returncode}" if built.returncode != 0 else None

    def run(self, command, seconds, fault=None):
        """Runs a command with its children. Returns its status, or nothing when it does not end. {bin} is replaced."""
        command = [each.format(bin=os.path.join(self.path, self.plan["bin"])) for each in command]
        environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
        if fault is not None:
            environment[VARIABLE] = fault
        folder = tempfile.mkdtemp(prefix="planted-")
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd=folder,
                                   env=environment, start_new_session=True,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES)))
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


def placesIn(output):
    """The places that a compiler names: pairs of a path and a line."""
    return {(path, int(line)) for path, line in re.findall(r"([^\s:(\"']+\.cpp):(\d+)", output)}


def describeStatus(status):
    """How a test has ended that found a fault. status: nothing when it did not end."""
    if status is None:
        return "does not end"
    return f"dies by signal {-status}" if status < 0 else f"fails with status {status}"
