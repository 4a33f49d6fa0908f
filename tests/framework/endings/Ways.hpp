#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include <ferry/ferry.hpp>

namespace endings {

/// A task without data. The chosen way to end decides the work of its handler.
class Work : public ferry::Message {
public:
    FERRY_CLASS(endings::Work)
    using Reply = ferry::Done;
    FERRY_FIELDS(number)
    Work() = default;
    explicit Work(int number_) : number(number_) {}
    int number = 0;
};

/// A task or a message that is too large to leave before its receiver takes it.
class Freight : public ferry::Message {
public:
    FERRY_CLASS(endings::Freight)
    using Reply = ferry::Done;
    FERRY_FIELDS(ints)
    Freight() = default;
    explicit Freight(std::size_t count) : ints(count, 7) {}
    std::vector<int> ints;
};

/// An exception with its own data.
class Overfull : public ferry::Exception {
public:
    FERRY_EXCEPTION(endings::Overfull)
    FERRY_FIELDS(seats)
    Overfull() = default;
    explicit Overfull(int seats_) : ferry::Exception("more students than seats"), seats(seats_) {}
    int seats = 0;
};

/// Prints one line on standard output, at once, and appends it to the file FERRY_TEST_LINES. A launcher that ends may lose what a rank has
/// just printed.
void say(const std::string& line);

/// Prints a line when it is destroyed: "slave 2 unwound".
class Sentinel {
public:
    Sentinel(std::string name, int rank) : name_(std::move(name)), rank_(rank) {}
    Sentinel(const Sentinel&) = delete;
    Sentinel& operator=(const Sentinel&) = delete;
    ~Sentinel() { say(name_ + " " + std::to_string(rank_) + " unwound"); }

private:
    std::string name_;
    int rank_;
};

inline int lastRank(ferry::Connector& connector) { return connector.size() - 1; }

/// Works for ever with calls of Ferry. The end of the job wakes it with an exception.
[[noreturn]] void workAndListen(ferry::Connector& connector);

/// Works longer than any test waits, without a call of Ferry.
void workAndNotListen();

/// Defines slaves that make a sentinel each. Their handler of Work calls the function.
void prepareSlaves(ferry::Application& application, std::function<void(ferry::Task&)> handler);

/// The program of a master that submits work for ever.
void giveWorkForEver(ferry::Master& master);

/// A way to end: the rest of main(). main() returns its result.
using Way = std::function<int(ferry::Application&)>;
using Ways = std::map<std::string, Way>;

void addMasterWays(Ways& ways);
void addSlaveWays(Ways& ways);
void addExitWays(Ways& ways);
void addEveryRankWays(Ways& ways);
void addStatusWays(Ways& ways);
void addDeathWays(Ways& ways);
void addForcedWays(Ways& ways);

}    // namespace endings
