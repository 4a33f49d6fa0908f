#!/usr/bin/env python3
"""Installs a build into a temporary prefix, moves the prefix, and builds and runs a user's project against it."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ACCEPTANCE = os.path.join(HERE, "..", "acceptance")
sys.path[:0] = [ACCEPTANCE, os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "docs")]

from expectations import exactOutput    # noqa: E402 (the path comes first)
from extractSnippets import firstProgram    # noqa: E402
from launching import Launch    # noqa: E402

HANG_S = 600    # a command that takes longer hangs

OPTIONS = None    # the options of the command line


def run(command, status=0, **more):
    done = Launch(command, HANG_S, stderr=subprocess.STDOUT, **more).finish()
    if done.returncode != status:
        raise AssertionError(f"status {done.returncode} of {' '.join(command)}\n{done.stdout}")
    return done.stdout


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        first = os.path.join(cls.folder.name, "first")
        cls.prefix = os.path.join(cls.folder.name, "prefix")
        run([OPTIONS.cmake, "--install", OPTIONS.build, "--prefix", first])
        os.rename(first, cls.prefix)    # a package that depends on its first place fails here

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def installed(self):
        found = []
        for folder, _, names in os.walk(self.prefix):
            found += [os.path.relpath(os.path.join(folder, name), self.prefix) for name in names]
        return sorted(found)

    def testHeadersArchivesAndPackageAreThere(self):
        files = self.installed()
        for door in ("ferry", "objects", "connector", "jobs", "guarded", "simulate", "mpi", "version"):
            self.assertIn(f"include/ferry/{door}.hpp", files)
        for layer in ("serialization", "connector", "framework"):
            self.assertTrue(any(path.startswith(f"include/ferry/{layer}/") for path in files), layer)
            self.assertTrue(any(path.endswith(f"libferry_{layer}.a") for path in files), layer)
        for program in ("ferry", "ferryrun", "ferryFile"):
            self.assertTrue(os.access(os.path.join(self.prefix, "bin", program), os.X_OK), program)
        for name in ("ferryConfig.cmake", "ferryConfigVersion.cmake", "ferry_serialization.cmake", "ferry.pc", "LICENSE"):
            self.assertTrue(any(path.endswith("/" + name) for path in files), name)

    def testTheLibraryForPlainMpiIsThereBothWays(self):
        files = self.installed()
        for place in ("guarded.hpp", "connector/pmpi/guarded.hpp"):    # the second is the former one
            self.assertIn(f"include/ferry/{place}", files)
        for name in ("libferry_pmpi.a", "libferry_pmpi.so", "libferry_guard.so"):
            self.assertTrue(any(path.endswith(name) for path in files), name)

    def testEveryIncludedFerryHeaderIsInstalled(self):
        files = set(self.installed())
        for path in files:
            if not path.startswith("include/"):
                continue
            with open(os.path.join(self.prefix, path), encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    if line.startswith("#include <ferry/"):
                        name = line[len("#include <"):line.index(">")]
                        self.assertIn("include/" + name, files, f"{path}:{number}")

    def testNoInstalledFileNamesTheBuildOrTheSource(self):
        for path in self.installed():
            if re.search(r"\.(a|so[.0-9]*)$", path) or path.startswith("bin/"):
                continue    # debug information and the source locations of errors contain the paths of the sources
            with open(os.path.join(self.prefix, path), encoding="utf-8", errors="replace") as file:
                text = file.read()
            self.assertNotIn(OPTIONS.build, text, path)
            self.assertNotIn(OPTIONS.source + "/", text, path)

    def testConsumerConfiguresBuildsAndRuns(self):
        source = os.path.join(self.folder.name, "consumer")
        build = os.path.join(self.folder.name, "consumerBuild")
        squares = os.path.join(ACCEPTANCE, "squares.cpp")
        shutil.copytree(os.path.join(HERE, "consumer"), source)
        shutil.copy(squares, source)
        run([OPTIONS.cmake, "-S", source, "-B", build, "-G", OPTIONS.generator, "-DCMAKE_PREFIX_PATH=" + self.prefix,
             "-DCMAKE_CXX_COMPILER=" + OPTIONS.compiler, "-DCMAKE_BUILD_TYPE=Release", "-DwantedVersion=" + OPTIONS.version])
        run([OPTIONS.cmake, "--build", build])
        self.assertEqual(run([os.path.join(build, "objects")]), "kept: 3 seats in B-12\n")
        if any(path.endswith("libferry_boost.a") for path in self.installed()):
            self.assertEqual(run([os.path.join(build, "legacy")]), "kept: 12 cents of Ada\n")
        self.assertEqual(run([os.path.join(build, "region")]), "1 failure, on rank 0: broken\n")
        said = run([os.path.join(build, "devices")])
        self.assertEqual(said.splitlines()[-1], "3 4 5")
        for library in ("opencl", "cuda"):    # a library that is installed is linked: its error is one of its own
            if any(path.endswith(f"libferry_device_{library}.a") for path in self.installed()):
                self.assertNotIn(f"does not link ferry::device_{library}", said)
        self.assertEqual(run([os.path.join(build, "squares"), "--ferry-slaves", "2"]).splitlines(), exactOutput(squares))

    def testComponentsAreInstalledOneByOne(self):
        """Each component alone needs the components below it, and find_package asks for no more than a component needs."""
        source = os.path.join(HERE, "components")
        prefix = os.path.join(self.folder.name, "components")
        steps = (("serialization", ["serialization"], ["connector", "framework", "guard"]), ("connector", ["connector"], ["framework", "guard"]),
                 ("guard", ["guard", "pmpi", "pmpi_shared"], ["framework"]), ("framework", ["framework", "ferry", "guard"], []))
        for component, there, missing in steps:
            run([OPTIONS.cmake, "--install", OPTIONS.build, "--prefix", prefix, "--component", component])
            build = os.path.join(self.folder.name, "componentsBuild-" + component)
            said = run([OPTIONS.cmake, "-S", source, "-B", build, "-G", OPTIONS.generator, "-DCMAKE_PREFIX_PATH=" + prefix,
                        "-DCMAKE_CXX_COMPILER=" + OPTIONS.compiler, "-Dthere=" + ";".join(there), "-Dmissing=" + ";".join(missing),
                        "-DwithoutMpi=" + ("ON" if component == "serialization" else "OFF")])
            self.assertIn("the components are right", said)
            if component == "serialization":
                run([OPTIONS.cmake, "--build", build])
                self.assertEqual(run([os.path.join(build, "objects")]), "kept: 3 seats in B-12\n")

    def byPkgConfig(self, package, text, name):
        """Builds a program with the flags of pkg-config, and returns its path."""
        folder = os.path.join(self.folder.name, "pkgConfig-" + name)
        os.mkdir(folder)
        source = os.path.join(folder, name + ".cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        place = os.path.join(self.prefix, next(os.path.dirname(path) for path in self.installed() if path.endswith("/ferry.pc")))
        flags = run(["pkg-config", "--cflags", "--libs", package], env=os.environ | {"PKG_CONFIG_PATH": place}).split()
        run([OPTIONS.compiler, "-std=c++20", source, "-o", os.path.join(folder, name), *flags])
        return os.path.join(folder, name)

    @unittest.skipIf(shutil.which("pkg-config") is None, "NOT RUN: there is no pkg-config")
    def testPkgConfigBuildsTheProgramOfTheReadme(self):
        text, printed = firstProgram(os.path.join(OPTIONS.source, "README.md"))
        self.assertEqual(run([self.byPkgConfig("ferry", text, "squares"), "--ferry-slaves", "2"]), printed)

    @unittest.skipIf(shutil.which("pkg-config") is None, "NOT RUN: there is no pkg-config")
    def testPkgConfigBuildsPartsOfFerry(self):
        for package, name, printed in (("ferry-serialization", "objects", "kept: 3 seats in B-12\n"),
                                       ("ferry-guard", "region", "1 failure, on rank 0: broken\n")):
            with open(os.path.join(HERE, "consumer", name + ".cpp"), encoding="utf-8") as file:
                program = self.byPkgConfig(package, file.read(), name)
            libraries = os.path.join(self.prefix, next(os.path.dirname(path) for path in self.installed() if path.endswith("libferry_pmpi.so")))
            self.assertEqual(run([program], env=os.environ | {"LD_LIBRARY_PATH": libraries}), printed)
            if package == "ferry-serialization":
                self.assertNotIn("mpi", run(["readelf", "-d", program]))

    def testANewProjectBuildsAndRuns(self):
        ferry = os.path.join(self.prefix, "bin", "ferry")
        said = run([ferry, "new", "squares"], cwd=self.folder.name)
        commands = [line.strip() for line in said.splitlines() if line.startswith("    ")]
        self.assertEqual(len(commands), 4, said)
        configure = commands[1] + f" -G '{OPTIONS.generator}' -DCMAKE_CXX_COMPILER={OPTIONS.compiler}"
        printed = run(["sh", "-e", "-c", "\n".join([commands[0], configure + " >/dev/null", commands[2] + " >/dev/null", commands[3] + " --ferry-slaves 2"])],
                      cwd=self.folder.name)
        self.assertEqual(printed, firstProgram(os.path.join(OPTIONS.source, "README.md"))[1])

    def testTheDoctorFindsNothingWrong(self):
        said = json.loads(run([os.path.join(self.prefix, "bin", "ferry"), "doctor", "--json"]))
        self.assertEqual(said["version"], OPTIONS.version)
        self.assertEqual([finding for finding in said["findings"] if finding["state"] == "wrong"], [])
        self.assertIn("an object and an exception arrived", {finding["subject"]: finding["text"] for finding in said["findings"]}["MPI"])

    def testTheProgramFerryHandsOver(self):
        ferry = os.path.join(self.prefix, "bin", "ferry")
        self.assertEqual(run([ferry, "--version"]), f"ferry {OPTIONS.version}\n")
        self.assertIn("FILE", run([ferry, "file", "info", "--help"]))
        self.assertIn("--start-limit", run([ferry, "run", "--help"]))
        self.assertIn("ferrygen list", run([ferry, "gen", "--help"]))

    def testTheProgramForFilesRuns(self):
        self.assertIn("FILE", run([os.path.join(self.prefix, "bin", "ferryFile"), "info", "--help"]))

    def testTheGeneratorOfViewsRuns(self):
        program = next(path for path in self.installed() if path.endswith("cmake/ferry/tools/ferrygen"))
        header = os.path.join(self.folder.name, "plain.hpp")
        with open(header, "w", encoding="utf-8") as file:
            file.write("struct Plain { int seats; };\n")
        self.assertIn("seats    int    public", run([sys.executable, os.path.join(self.prefix, program), "list", header, "Plain"]))

    def testTheCommandOfTheGuideBuildsItsProgram(self):
        with open(os.path.join(OPTIONS.source, "docs", "guide.md"), encoding="utf-8") as file:
            guide = file.read()
        command = re.search(r"^g\+\+ .*$", guide, re.MULTILINE).group()
        snippets = re.findall(r"^```cpp\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
        program = next(snippet for snippet in snippets if "struct Bill " in snippet and "int main(" in snippet)
        folder = os.path.join(self.folder.name, "byHand")
        os.mkdir(folder)
        with open(os.path.join(folder, "prices.cpp"), "w", encoding="utf-8") as file:
            file.write(program)
        libraries = next(os.path.dirname(path) for path in self.installed() if path.endswith("libferry_framework.a"))
        command = command.replace("-LPREFIX/lib", f"-L{self.prefix}/{libraries}").replace("PREFIX", self.prefix)
        run([OPTIONS.compiler, *command.split()[1:]], cwd=folder)
        self.assertRegex(run([os.path.join(folder, "prices"), "--ferry-slaves", "2"]), r"^bill 1 of till \d: 16.00\n32000.00\n$")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("cmake", "generator", "compiler", "build", "source", "version"):
        parser.add_argument("--" + option, required=True)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)
