"""Ferry for Conan 2. `conan create packaging/conan` builds the tree that this recipe lies in."""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class FerryConan(ConanFile):
    name = "ferry"
    license = "BSL-1.0"
    description = "Carries objects and exceptions between the processes of a parallel program"
    topics = ("mpi", "exceptions", "serialization", "parallel")
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False], "with_mpi": [True, False], "throw_hook": [True, False]}
    default_options = {"shared": False, "with_mpi": True, "throw_hook": True}
    implements = ["auto_shared_fpic"]

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "..", "..", "version.hpp"))
        self.version = ".".join(re.findall(r"^#define FERRY_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text, re.MULTILINE))

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        leftOut = {"apps", "benchmarks", "build", "docs", "examples", "packaging", "tests"}    # the library needs none of them
        for name in os.listdir(root):
            if name.startswith(".") or name in leftOut:
                continue
            pattern = name + "/*" if os.path.isdir(os.path.join(root, name)) else name
            copy(self, pattern, root, self.export_sources_folder, excludes="*.pyc")

    def requirements(self):
        self.requires("boost/1.81.0", transitive_headers=True)
        self.requires("fmt/9.1.0", transitive_headers=True)
        self.requires("spdlog/1.10.0")
        self.requires("xxhash/0.8.1", visible=False)
        self.requires("nlohmann_json/3.11.2", visible=False)
        self.requires("cli11/2.1.2", visible=False)
        if self.options.with_mpi:
            self.requires("openmpi/4.1.4", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for name, value in {"BUILD_SHARED_LIBS": self.options.shared, "FERRY_WITH_MPI": self.options.with_mpi,
                            "FERRY_THROW_HOOK": self.options.throw_hook, "FERRY_BUILD_TESTS": False, "FERRY_BUILD_EXAMPLES": False,
                            "FERRY_BUILD_APPS": False, "FERRY_WITH_OPENCL": False, "FERRY_INSTALL": True}.items():
            toolchain.cache_variables[name] = bool(value)
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # Ferry's own files for find_package are used, not ones that Conan makes.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/ferry"]
        self.cpp_info.libs = ["ferry_framework", "ferry_device_remote", "ferry_connector", "ferry_device", "ferry_serialization"]
