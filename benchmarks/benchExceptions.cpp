// Measures the cost of contexts when no exception is thrown, and the cost of a throw with and without its record.
//     build/release/bin/benchExceptions --ferry-slaves 1
#include <cxxabi.h>
#include <dlfcn.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <ferry/ferry.hpp>
#include <ferry/serialization/exception/TaskScope.hpp>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int windowCount = 15;

std::atomic<bool> withContexts{false};

class Sum : public ferry::Message {
public:
    FERRY_CLASS(Sum)
    FERRY_FIELDS(value)
    long value = 0;
};

class Add : public ferry::Message {
public:
    FERRY_CLASS(Add)
    using Reply = Sum;
    FERRY_FIELDS(left, right)
    long left = 1;
    long right = 2;
};

double medianOf(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Nanoseconds of one call.
template <class Function>
double timeOnce(int rounds, Function function) {
    const auto start = Clock::now();
    for (int round = 0; round < rounds; ++round) function(round);
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count() / rounds;
}

template <class Function>
void printTime(const char* what, int rounds, Function function) {
    std::vector<double> times;
    for (int window = 0; window < windowCount; ++window) times.push_back(timeOnce(rounds, function));
    std::printf("| %s | %.1f |\n", what, medianOf(times));
}

double processorTimeNs() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

/// Keeps the compiler from removing a scope.
void touch() { asm volatile("" ::: "memory"); }

#if defined(__GNUC__) && !defined(__clang__)
#define FERRY_KEPT_FRAME_ [[gnu::noipa]]
#else
#define FERRY_KEPT_FRAME_ [[gnu::noinline]]
#endif

FERRY_KEPT_FRAME_ void throwRecorded() { throw std::out_of_range("index 7"); }

/// Has the same frames for every way to throw.
FERRY_KEPT_FRAME_ void throwDeep(int depth, void (*raise)()) {
    if (depth == 0)
        raise();
    else
        throwDeep(depth - 1, raise);
    touch();
}

std::exception_ptr caught(int depth) {
    try {
        throwDeep(depth, throwRecorded);
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

using Throw = void (*)(void*, void*, void (*)(void*));

/// Throws as plain C++ does: by the function of the C++ runtime, past Ferry.
FERRY_KEPT_FRAME_ void throwPlainly() {
    static const auto next = reinterpret_cast<Throw>(::dlsym(RTLD_NEXT, "__cxa_throw"));
    void* const object = abi::__cxa_allocate_exception(sizeof(std::out_of_range));
    try {
        new (object) std::out_of_range("index 7");
    } catch (...) {    // compilers write the same clean-up for a throw, and so the unwinder asks this function too
        abi::__cxa_free_exception(object);
        throw;
    }
    auto& type = const_cast<std::type_info&>(typeid(std::out_of_range));
    next(object, &type, [](void* thrown) { static_cast<std::out_of_range*>(thrown)->~out_of_range(); });
    touch();    // keeps the frame of this function, as a throw keeps it
}

/// Rounds in which the ways to throw take turns, 10 frames up to the handler. Processor time; a ratio is the median of those of the rounds.
void printThrowRatios() {
    constexpr int roundCount = 201;
    constexpr int throwsInRound = 200;
    constexpr int depth = 10;
    const auto timeOf = [](void (*raise)()) {
        const double start = processorTimeNs();
        for (int i = 0; i < throwsInRound; ++i) {
            try {
                throwDeep(depth, raise);
            } catch (const std::out_of_range&) {}
        }
        return (processorTimeNs() - start) / throwsInRound;
    };
    std::array<std::vector<double>, 3> times;
    std::array<std::vector<double>, 2> ratios;
    for (int round = 0; round < roundCount; ++round) {
        times[0].push_back(timeOf(throwPlainly));
        ferry::setStackRecording(false);
        times[1].push_back(timeOf(throwRecorded));
        ferry::setStackRecording(true);
        times[2].push_back(timeOf(throwRecorded));
        for (std::size_t way = 0; way < ratios.size(); ++way) ratios[way].push_back(times[way + 1].back() / times[0].back());
    }
    const auto fastest = [&](std::size_t way) { return *std::min_element(times[way].begin(), times[way].end()); };
    std::printf(
        "\n| throw and catch, 10 frames up | median, ns | fastest, ns | / plain, median | / plain, fastest |\n|---|---|---|---|---|\n");
    std::printf("| plain | %.0f | %.0f | | |\n", medianOf(times[0]), fastest(0));
    std::printf("| recorded without its stack | %.0f | %.0f | %.3f | %.3f |\n", medianOf(times[1]), fastest(1), medianOf(ratios[0]),
                fastest(1) / fastest(0));
    std::printf("| recorded with its stack | %.0f | %.0f | %.3f | %.3f |\n\n", medianOf(times[2]), fastest(2), medianOf(ratios[1]),
                fastest(2) / fastest(0));
}

void printScopes() {
    constexpr int rounds = 2'000'000;
    const std::string name = "comp01";
    printTime("context of a number, begun and ended", rounds, [](int round) {
        const auto context = ferry::context("round", round);
        touch();
    });
    printTime("context of a short string", rounds, [&](int) {
        const auto context = ferry::context("instance", name);
        touch();
    });
    printTime("scope of a task (what a slave does for each)", rounds, [](int round) {
        const ferry::detail::TaskScope scope("Add", round);
        touch();
    });
}

void printThrows() {
    constexpr int rounds = 2'000;
    constexpr int depth = 10;
    printTime("throw and catch, 10 frames up, not recorded", rounds, [](int) {
        const ferry::detail::ThrowRecordingPause pause;
        caught(depth);
    });
    ferry::setStackRecording(false);
    printTime("the same, recorded without its stack", rounds, [](int) { caught(depth); });
    ferry::setStackRecording(true);
    printTime("the same, recorded with its stack", rounds, [](int) { caught(depth); });
    const std::exception_ptr exception = caught(depth);
    const double start = processorTimeNs();
    const std::string first = ferry::report(exception);
    std::printf("| the first report: the debug information is read, processor time | %.0f |\n", processorTimeNs() - start);
    printTime("a further report", rounds, [&](int) { ferry::report(exception); });
}

double taskTime(ferry::Master& master, int count) {
    const std::vector<Add> tasks(static_cast<std::size_t>(count));
    const auto start = Clock::now();
    long sum = 0;
    for (const Sum& reply : master.map(tasks)) sum += reply.value;
    if (sum != 3L * count) throw std::logic_error("wrong sum");
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count() / count;
}

void printTasks(ferry::Master& master) {
    constexpr int count = 1'000;
    constexpr int pairCount = 301;
    std::vector<double> without;
    std::vector<double> with;
    std::vector<double> ratios;
    taskTime(master, count);
    for (int pair = 0; pair < pairCount; ++pair) {
        withContexts = false;
        without.push_back(taskTime(master, count));
        withContexts = true;
        with.push_back(taskTime(master, count));
        ratios.push_back(with.back() / without.back());
    }
    std::printf("| a task (one addition), there and back | %.1f |\n", medianOf(without));
    std::printf("| the same with two contexts | %.1f |\n", medianOf(with));
    std::printf("\nratio of the last two, median: %.4f\n", medianOf(ratios));
}

long add(const Add& task) {
    touch();
    return task.left + task.right;
}

}    // namespace

int main(int argumentCount, char** arguments) {
    ferry::Application app(argumentCount, arguments);
    app.slave().on<Add>([](const Add& task) {
        Sum sum;
        if (withContexts) {
            const auto left = ferry::context("left", task.left);
            const auto right = ferry::context("right", task.right);
            sum.value = add(task);
        } else {
            sum.value = add(task);
        }
        return sum;
    });
    return app.run([](ferry::Master& master) {
        std::printf("| what | ns |\n|---|---|\n");
        printScopes();
        printThrows();
        printThrowRatios();
        printTasks(master);
    });
}
