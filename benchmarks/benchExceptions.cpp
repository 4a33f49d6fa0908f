// Measures the cost of contexts when no exception is thrown, and the cost of a throw with and without its record.
//     build/release/bin/benchExceptions --ferry-slaves 1
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
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

/// Keeps the compiler from removing a scope.
void touch() { asm volatile("" ::: "memory"); }

[[gnu::noinline]] void throwDeep(int depth) {
    if (depth == 0) throw std::out_of_range("index 7");
    throwDeep(depth - 1);
    touch();
}

std::exception_ptr caught(int depth) {
    try {
        throwDeep(depth);
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
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
    const auto start = Clock::now();
    const std::string first = ferry::report(exception);
    std::printf("| the first report: the debug information is read | %.0f |\n",
                std::chrono::duration<double, std::nano>(Clock::now() - start).count());
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
        printTasks(master);
    });
}
