"""ferry new: makes the folder of a project that builds against an installed Ferry and runs."""
import argparse
import os
import re
import shlex
import sys

FILES = {
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.23)
project({name} LANGUAGES CXX)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo)    # fast, and a report names the lines of the program
endif()
find_package(ferry {minor} REQUIRED)
add_executable({name} main.cpp)
target_link_libraries({name} PRIVATE ferry::ferry)
""",
    "main.cpp": """// A master gives out numbers, and slaves square them. An exception on a slave is caught by the master.
#include <cstdio>
#include <stdexcept>

#include <ferry/ferry.hpp>

struct Square {    // a task: its fields travel to the slave
    int number = 0;
    using Reply = long;
};

int main(int argc, char** argv) {{
    ferry::Application app(argc, argv);
    app.slave().on<Square>([](const Square& task) {{
        if (task.number > 46340) throw std::out_of_range("the number is over 46340");
        return static_cast<long>(task.number) * task.number;
    }});
    return app.run([](ferry::Master& master) {{
        std::printf("%ld\\n", master.submit(Square{{12}}).get());
        try {{
            master.submit(Square{{99999}}).get();
        }} catch (const std::out_of_range& error) {{
            std::printf("%s\\n", error.what());
        }}
    }});
}}
""",
    "README.md": """# {name}

Build, with the folder where Ferry {version} is installed:

    cmake -S . -B build{prefixOption}
    cmake --build build

Run:

    build/{name}                       # threads of one process: a master, and a slave for each core
    mpirun -np 4 build/{name}          # a master and three slaves
    ferry run -np 4 build/{name}       # the same, and the job survives slaves that die

`ferry doctor` says what is wrong when one of these fails.
""",
    ".gitignore": "build/\n",
}
# In main.cpp the first struct needs no doubled braces for a reader of this file, but format() does.
FILES["main.cpp"] = FILES["main.cpp"].replace("struct Square {", "struct Square {{").replace("= long;\n};", "= long;\n}};")
TAKEN = {"ferry", "test", "all", "install", "clean", "help", "package"}    # names of targets of CMake, or of Ferry's package


def refuse(text):
    print(f"ferry new: {text}", file=sys.stderr)
    return 2


def main(arguments, version, prefix):
    parser = argparse.ArgumentParser(prog="ferry new", description="Makes a folder with a project that builds against an installed Ferry: "
                                     "CMakeLists.txt, main.cpp and README.md.", allow_abbrev=False)
    parser.add_argument("name", metavar="NAME", help="the name of the folder, the project and the program; a path makes the folder there")
    options = parser.parse_args(arguments)
    folder = os.path.normpath(options.name)
    name = os.path.basename(folder)
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", name):
        return refuse(f"{name!r} is no name for a program: expected a letter, then letters, digits, _ and -")
    if name.lower() in TAKEN:
        return refuse(f"{name!r} is a name that CMake or Ferry uses: choose another one")
    try:
        if os.path.lexists(folder) and not os.path.isdir(folder):
            return refuse(f"{folder} is there already, and is no folder")
        if os.path.isdir(folder) and os.listdir(folder):
            return refuse(f"{folder} is there already, and is not empty: nothing was written")
        os.makedirs(folder, exist_ok=True)
        isUsual = prefix in (None, "/usr", "/usr/local")
        values = {"name": name, "version": version, "minor": ".".join(version.split(".")[:2]),
                  "prefixOption": "" if isUsual else f" -DCMAKE_PREFIX_PATH={shlex.quote(prefix)}"}
        for file, text in FILES.items():
            with open(os.path.join(folder, file), "x", encoding="utf-8") as out:
                out.write(text.format(**values))
    except OSError as error:
        print(f"ferry new: {error.filename or folder}: {error.strerror}", file=sys.stderr)
        return 1
    print(f"{folder} is made. Build and run it:\n\n    cd {shlex.quote(folder)}\n    cmake -S . -B build{values['prefixOption']}\n"
          f"    cmake --build build\n    build/{name}")
    return 0
