# Untried with Spack: checked as Python, with its options compared to those of CMake (tests/install/recipesTest.py).
from spack.package import *


class Ferry(CMakePackage):
    """Carries C++ objects and C++ exceptions between the processes of a parallel program, over MPI or threads."""

    license("BSL-1.0")

    # version("0.1.0", sha256=...) and url come with the first release.

    variant("shared", default=True, description="Build shared libraries")
    variant("mpi", default=True, description="Build with MPI; without it ranks are threads or simulated")
    variant("throw_hook", default=True, description="Record the stack of every throw")
    variant("boost_serialization", default=True, description="Types with functions for Boost.Serialization travel")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("mpi", when="+mpi")
    depends_on("boost@1.81:")
    depends_on("boost+serialization", when="+boost_serialization")
    depends_on("fmt@9:")
    depends_on("spdlog@1.10: +fmt_external")
    depends_on("cli11@2:", type="build")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("xxhash@0.8:")

    conflicts("%gcc@:11", msg="Ferry needs C++20 of g++ 12 or newer")
    conflicts("%clang@:13", msg="Ferry needs C++20 of clang 14 or newer")
    conflicts("platform=windows")
    conflicts("platform=darwin")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("FERRY_WITH_MPI", "mpi"),
            self.define_from_variant("FERRY_THROW_HOOK", "throw_hook"),
            self.define("FERRY_WITH_OPENCL", False),
            self.define("FERRY_BUILD_APPS", True),
            self.define("FERRY_BUILD_TESTS", False),
            self.define("FERRY_BUILD_EXAMPLES", False),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def doctor(self):
        """Runs two ranks, as threads and under the launcher."""
        Executable(self.prefix.bin.ferry)("doctor")
