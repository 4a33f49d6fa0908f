#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ferry/benchmarks/support/Clocks.hpp>

namespace bench {

/// One way to do the work of a case.
class Contender {
public:
    /// Does the work so many times, and returns how many nanoseconds that took.
    using Batch = std::function<double(std::size_t)>;

    Contender(std::string name, Batch batch) : name_(std::move(name)), batch_(std::move(batch)) {}

    const std::string& name() const { return name_; }
    /// Does the work so many times.
    void run(std::size_t times) { batch_(times); }
    /// Finds how many times make a round of the measurement.
    void calibrate();
    /// Does one round, and remembers how long it took.
    void measureRound();
    /// Nanoseconds for doing the work once; one for each round.
    const std::vector<double>& roundsNs() const { return roundsNs_; }

private:
    std::string name_;
    Batch batch_;
    std::size_t timesPerRound_ = 1;
    std::vector<double> roundsNs_;
};

/// A ratio to reach: at most where Ferry is compared with a limit, at least where it is compared with a peer. It belongs to a column of the
/// table.
struct Goal {
    std::string column;
    double ratio = 0;
};

/// Some work, done by several contenders. The limit is what cannot be beaten by much, such as copying the bytes.
struct Case {
    std::string name;
    std::string limitName;
    std::vector<Goal> goals;
    std::vector<Contender> contenders;

    const Contender* find(const std::string& contender) const;
    std::optional<double> goalFor(const std::string& column) const;
};

/// All cases, in the order in which they were declared.
class Suite {
public:
    /// Declares a case before contenders are added to it.
    void declare(std::string caseName, std::string limitName, std::vector<Goal> goals = {});
    /// Adds a contender that does the work once each time that `operation` is called. The loop around it is compiled together with it, and
    /// its CPU time is what counts.
    template <class Operation>
    void add(const std::string& caseName, const std::string& contender, Operation operation) {
        addBatch(caseName, contender, [operation = std::move(operation)](std::size_t times) mutable {
            const double start = threadCpuNs();
            for (; times != 0; --times) operation();
            return threadCpuNs() - start;
        });
    }
    /// Adds a contender that holds the watch itself: each call does the work once and returns the nanoseconds that count.
    template <class Operation>
    void addTimed(const std::string& caseName, const std::string& contender, Operation operation) {
        addBatch(caseName, contender, [operation = std::move(operation)](std::size_t times) mutable {
            double totalNs = 0;
            for (; times != 0; --times) totalNs += operation();
            return totalNs;
        });
    }
    /// Keeps the cases whose name contains the text.
    void filter(const std::string& text);
    /// Measures all contenders of a case, so many rounds; in a round each of them runs once.
    static void measure(Case& one, int rounds);
    /// Measures all cases.
    void measure(int rounds);

    std::vector<Case>& cases() { return cases_; }
    const std::vector<Case>& cases() const { return cases_; }

private:
    void addBatch(const std::string& caseName, const std::string& contender, Contender::Batch batch);

    std::vector<Case> cases_;
};

}    // namespace bench
