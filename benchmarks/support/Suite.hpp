#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ferry/benchmarks/support/Clocks.hpp>

namespace bench {

/// A way to do the work of a case.
class Contender {
public:
    /// Does the work the given number of times. Returns the nanoseconds that it took.
    using Batch = std::function<double(std::size_t)>;

    Contender(std::string name, Batch batch) : name_(std::move(name)), batch_(std::move(batch)) {}

    const std::string& name() const { return name_; }
    /// Does the work `times` times.
    void run(std::size_t times) { batch_(times); }
    /// Determines the number of operations in a round of the measurement.
    void calibrate();
    /// Does one round, and records its time.
    void measureRound();
    /// Nanoseconds of one operation, for each round.
    const std::vector<double>& roundsNs() const { return roundsNs_; }

private:
    std::string name_;
    Batch batch_;
    std::size_t timesPerRound_ = 1;
    std::vector<double> roundsNs_;
};

/// A ratio to reach in a column of the table. The ratio is an upper bound for a comparison with a limit, and a lower bound for a comparison
/// with a peer.
struct Goal {
    std::string column;
    double ratio = 0;
};

/// Work that is done by several contenders. The limit is work that every contender must do at least, such as copying the bytes.
struct Case {
    std::string name;
    std::string limitName;
    std::vector<Goal> goals;
    std::vector<Contender> contenders;

    const Contender* find(const std::string& contender) const;
    std::optional<double> goalFor(const std::string& column) const;
};

/// All cases, in the order of their declaration.
class Suite {
public:
    /// Declares a case before contenders are added to it.
    void declare(std::string caseName, std::string limitName, std::vector<Goal> goals = {});
    /// Adds a contender. Each call of `operation` does the work once. The loop around the calls is compiled together with the operation.
    /// The measured time is its CPU time.
    template <class Operation>
    void add(const std::string& caseName, const std::string& contender, Operation operation) {
        addBatch(caseName, contender, [operation = std::move(operation)](std::size_t times) mutable {
            const double start = threadCpuNs();
            for (; times != 0; --times) operation();
            return threadCpuNs() - start;
        });
    }
    /// Adds a contender that measures its own time. Each call does the work once, and returns the nanoseconds to count.
    template <class Operation>
    void addTimed(const std::string& caseName, const std::string& contender, Operation operation) {
        addBatch(caseName, contender, [operation = std::move(operation)](std::size_t times) mutable {
            double totalNs = 0;
            for (; times != 0; --times) totalNs += operation();
            return totalNs;
        });
    }
    /// Keeps only the cases whose name contains the text.
    void filter(const std::string& text);
    /// Measures all contenders of a case in `rounds` rounds. In a round each contender runs once.
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
