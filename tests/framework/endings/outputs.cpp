// A job whose report and journal meet the places and disks that checkOutputs.py makes.
//     outputs done|fails                 400 tasks; then the master returns, or throws
//     outputs done|fails limit BYTES     after 200 tasks, the files of the process may not become longer than that
//     outputs done|fails gone FOLDER     after 200 tasks, the folder is removed
//     outputs done|fails full FOLDER     after 200 tasks, no room is left on the disk of the folder
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <ferry/ferry.hpp>

namespace outputs {

struct Square {
    int number = 0;
    using Reply = int;
};

void disturb(const std::string& how, const char* argument) {
    if (how == "gone") std::filesystem::remove_all(argument);
    if (how == "full") {
        std::ofstream ballast(std::string(argument) + "/ballast", std::ios::binary);
        while (ballast.write("x", 1).flush()) {}
    }
    if (how != "limit") return;
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = std::strtoul(argument, nullptr, 10);
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

/// Returns the number of tasks that a program takes for failed because of their results' file.
int failedOf(ferry::Master& master, int count) {
    int failed = 0;
    for (int number = 0; number < count; ++number) {
        try {
            if (master.submit(Square{number}).get() != number * number) throw std::logic_error("a wrong square");
        } catch (const ferry::FileError&) {
            ++failed;
        }
    }
    return failed;
}

}    // namespace outputs

using namespace outputs;

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    if (argc != 2 && argc != 4) return 2;
    app.slave().on<Square>([](const Square& task) { return task.number * task.number; });
    return app.run([&](ferry::Master& master) {
        constexpr int half = 200;
        int failed = failedOf(master, half);
        if (argc == 4) disturb(argv[2], argv[3]);
        failed += failedOf(master, half);
        std::printf("failed tasks: %d\n", failed);
        std::fflush(stdout);
        if (std::string(argv[1]) == "fails") throw std::out_of_range("no such room");
    });
}
