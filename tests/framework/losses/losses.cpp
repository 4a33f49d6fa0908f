// This job may lose slaves: FERRY_TEST_DOOM says which, and when. Each reply is checked, and must come once.
//   losses COUNT MICROSECONDS [idle]     COUNT tasks of about this duration; idle: the tasks sleep and do not compute
//   losses maps COUNT MICROSECONDS       three maps of COUNT tasks of about this duration, of different priorities, and single tasks
//   losses poison COUNT           one of the tasks kills every slave that gets it
//   losses everyRank              every rank runs the program: a loss ends the job
#include <ferry/ferry.hpp>
#include <ferry/tests/framework/losses/Doom.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int manySlaves = 1000;    // losses are random here, so no task may be blamed for a loss
constexpr std::size_t largeBytes = 1 << 20;
constexpr int largeOneIn = 8;

std::unique_ptr<ferry::test::Doom> doom;    // the plan of this rank, on slaves

class Answer : public ferry::Message {
public:
    FERRY_CLASS(Answer)
    void writeToInts(ferry::IntWriter& out) const override {
        out << number << bytes;
        if (doom) doom->reach("reply");
    }
    void readFromInts(ferry::IntReader& in) override { in >> number >> bytes; }
    int number = 0;
    std::vector<char> bytes;
};

class Step : public ferry::Message {
public:
    FERRY_CLASS(Step)
    FERRY_FIELDS(number, microseconds, isIdle)
    using Reply = Answer;
    Step() = default;
    Step(int theNumber, int theMicroseconds, bool isItIdle = false) : number(theNumber), microseconds(theMicroseconds), isIdle(isItIdle) {}
    int number = 0;
    int microseconds = 0;
    bool isIdle = false;
};

/// A task that travels in bundles. The reply is three times its number, and the number that the task has in the job.
struct Short {
    int number = 0;
    int microseconds = 0;
    using Reply = std::vector<int>;
};

class Poison : public ferry::Message {
public:
    FERRY_CLASS(Poison)
    FERRY_FIELDS()
    using Reply = ferry::Done;
};

struct Factor {
    int value = 0;
    FERRY_FIELDS(value)
};

Answer work(const Step& step, ferry::Task& task) {
    if (doom) doom->reach("task");
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(step.microseconds);
    if (step.isIdle) std::this_thread::sleep_until(end);
    while (std::chrono::steady_clock::now() < end) {}
    if (step.number % 10 == 7) throw std::out_of_range(std::to_string(step.number));
    Answer answer;
    answer.number = step.number * task.shared<Factor>().value;
    if (step.number % largeOneIn == 0) answer.bytes.assign(largeBytes, static_cast<char>(step.number));
    return answer;
}

std::vector<int> workShortly(const Short& step, ferry::Task& task) {
    if (doom) doom->reach("task");
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(step.microseconds);
    while (std::chrono::steady_clock::now() < end) {}
    return {step.number * task.shared<Factor>().value, task.number()};
}

/// Checks that each task has exactly one result, and that it is right.
class Tally {
public:
    explicit Tally(int count) : seen_(static_cast<std::size_t>(count), 0) {}
    void note(int number) { ++seen_.at(static_cast<std::size_t>(number)); }
    bool isRight() const {
        bool areAll = true;
        for (std::size_t i = 0; i < seen_.size(); ++i) {
            if (seen_[i] == 1) continue;
            std::printf("task %zu has %d results\n", i, seen_[i]);
            areAll = false;
        }
        return areAll;
    }

private:
    std::vector<int> seen_;
};

void checkReply(const Answer& answer, Tally& tally) {
    xassert(answer.number % 3 == 0);
    const int number = answer.number / 3;
    xassert(answer.bytes == (number % largeOneIn == 0 ? std::vector<char>(largeBytes, static_cast<char>(number)) : std::vector<char>()));
    tally.note(number);
}

int runSteps(ferry::Master& master, int count, int microseconds, bool isIdle) {
    master.share(Factor{3});
    Tally tally(count);
    std::vector<Step> steps;
    for (int number = 0; number < count; ++number) steps.emplace_back(number, microseconds, isIdle);
    auto replies = master.map(steps, ferry::MapOrder::Completion, {.slavesAtMost = manySlaves});
    for (bool areAllHere = false; !areAllHere;) {
        try {
            for (const Answer& reply : replies) checkReply(reply, tally);
            areAllHere = true;
        } catch (const std::out_of_range& failure) {
            const int number = std::atoi(failure.what());
            xassert(number % 10 == 7);
            tally.note(number);
        }
    }
    if (!tally.isRight()) return 1;
    std::printf("done %d\n", count);
    return 0;
}

/// Several maps and single tasks are open at the same time.
int runMaps(ferry::Master& master, int count, int microseconds) {
    constexpr std::array<int, 3> priorities{0, 5, -3};
    constexpr int singleOneIn = 10;
    master.share(Factor{3});
    const int singles = count / singleOneIn;
    const int all = static_cast<int>(priorities.size()) * count + singles;
    Tally tally(all);
    int highestNumber = 0;
    const auto note = [&](const std::vector<int>& reply) {
        xassert(reply.at(0) % 3 == 0);
        tally.note(reply.at(0) / 3);
        highestNumber = std::max(highestNumber, reply.at(1));
    };
    std::vector<std::vector<Short>> tasks(priorities.size());
    for (int number = 0; number < static_cast<int>(priorities.size()) * count; ++number)
        tasks[static_cast<std::size_t>(number / count)].push_back({number, microseconds});
    const auto options = [](int priority) { return ferry::TaskOptions{.priority = priority, .slavesAtMost = manySlaves}; };
    auto low = master.map(tasks[0], ferry::MapOrder::Completion, options(priorities[0]));
    auto high = master.map(tasks[1], ferry::MapOrder::Submission, options(priorities[1]));
    auto lowest = master.map(tasks[2], ferry::MapOrder::Completion, options(priorities[2]));
    auto ofLow = low.begin();
    auto ofHigh = high.begin();
    auto ofLowest = lowest.begin();
    std::vector<ferry::Future<std::vector<int>>> alone;
    for (int i = 0; i < count; ++i, ++ofLow, ++ofHigh, ++ofLowest) {
        if (i % singleOneIn == 0) alone.push_back(master.submit(Short{all - 1 - i / singleOneIn, microseconds}, options(9)));
        note(*ofLow);
        note(*ofHigh);
        note(*ofLowest);
    }
    for (auto& future : alone) note(future.get());
    if (!tally.isRight()) return 1;
    // A bundle takes 64 numbers. Without bundles, each task takes one, and one more for each further try.
    std::printf("%s\ndone %d\n", highestNumber > 2 * all ? "bundled" : "not bundled", all);
    return 0;
}

int runWithPoison(ferry::Master& master, int count) {
    master.share(Factor{3});
    std::vector<ferry::Future<Answer>> answers;
    ferry::Future<ferry::Done> poison = master.submit(Poison());
    for (int number = 0; number < count; ++number) answers.push_back(master.submit(Step(number, 100), {.slavesAtMost = manySlaves}));
    try {
        poison.get();
        return 1;
    } catch (const ferry::PoisonTask& failure) {
        std::printf("%s\nmet %zu slaves\n", failure.what(), failure.ranks().size());
    }
    Tally tally(count);
    for (int number = 0; number < count; ++number) {
        try {
            checkReply(answers[static_cast<std::size_t>(number)].get(), tally);
        } catch (const std::out_of_range&) {
            tally.note(number);
        }
    }
    if (!tally.isRight()) return 1;
    std::printf("done %d\n", count);
    return 0;
}

int runEveryRank(ferry::Connector& connector) {
    doom->reach("begin");
    for (int round = 0; round < 1000; ++round) {
        static_cast<void>(connector.allReduce(1, ferry::Sum{}));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return 0;
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    const int rank = app.connector().rank();
    doom = std::make_unique<ferry::test::Doom>(rank);
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "everyRank") return app.runOnAll(runEveryRank);
    app.slave().on<Step>(work).on<Short>(workShortly);
    app.slave().on<Poison>([](const Poison&) -> ferry::Done {
        ::raise(SIGKILL);
        return {};
    });
    app.slave().setUp([](ferry::Connector&) {
        doom->reach("begin");
        return std::make_shared<int>(0);
    });
    return app.run([&](ferry::Master& master) {
        if (what == "poison") return runWithPoison(master, argc > 2 ? std::atoi(argv[2]) : 50);
        if (what == "maps") return runMaps(master, argc > 2 ? std::atoi(argv[2]) : 300, argc > 3 ? std::atoi(argv[3]) : 300);
        return runSteps(master, std::atoi(what.c_str()), argc > 2 ? std::atoi(argv[2]) : 1000, argc > 3);
    });
}
