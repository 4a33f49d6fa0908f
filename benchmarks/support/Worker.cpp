#include <ferry/benchmarks/support/Worker.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {

namespace {

constexpr char work = 'w';
constexpr char quit = 'q';

/// Programs that this process executes do not inherit the ends of the pipe. Forked processes do.
std::array<int, 2> makePipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    return ends;
}

template <class T>
bool readWhole(int file, T& value) {
    return read(file, &value, sizeof(value)) == static_cast<ssize_t>(sizeof(value));    // a pipe does not split so small a value
}

template <class T>
bool writeWhole(int file, const T& value) {
    return write(file, &value, sizeof(value)) == static_cast<ssize_t>(sizeof(value));
}

}    // namespace

Worker::Worker(std::string name, const std::function<Operation()>& setUp) : name_(std::move(name)) {
    const std::array<int, 2> commands = makePipe();
    const std::array<int, 2> results = makePipe();
    std::signal(SIGPIPE, SIG_IGN);    // a failing write then reports the end of the process
    std::fflush(nullptr);             // otherwise the new process would print pending output again
    process_ = fork();
    if (process_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (process_ == 0) {
        close(commands[1]);
        close(results[0]);
        _exit(serve(name_, setUp, commands[0], results[1]));
    }
    close(commands[0]);
    close(results[1]);
    commands_ = commands[1];
    results_ = results[0];
    nextResult();
}

Worker::~Worker() {
    writeWhole(commands_, quit);    // closing the pipe is not enough: processes that were forked later hold it too
    close(commands_);
    close(results_);
    waitpid(process_, nullptr, 0);
}

double Worker::runOnce() {
    if (!writeWhole(commands_, work)) throw std::runtime_error("the process of " + name_ + " has ended");
    return nextResult();
}

double Worker::nextResult() {
    double ns = 0;
    if (!readWhole(results_, ns)) throw std::runtime_error("the process of " + name_ + " has ended");
    return ns;
}

int Worker::serve(const std::string& name, const std::function<Operation()>& setUp, int commands, int results) {
    try {
        const Operation operation = setUp();
        double ns = 0;
        char command = 0;
        while (writeWhole(results, ns) && readWhole(commands, command) && command == work) ns = operation();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
        return 1;
    }
}

}    // namespace bench
