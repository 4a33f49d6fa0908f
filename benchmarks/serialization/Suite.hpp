#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// One way to do the work of a case.
class Contender {
public:
    using Batch = std::function<void(std::size_t)>;

    Contender(std::string name, Batch batch) : name_(std::move(name)), batch_(std::move(batch)) {}

    const std::string& name() const { return name_; }
    /// Does the work so many times.
    void run(std::size_t times) { batch_(times); }
    /// Finds how many times make a round of the measurement.
    void calibrate();
    /// Does one round, and remembers how long it took.
    void measureRound();
    /// Nanoseconds of thread CPU time for doing the work once; one for each round.
    const std::vector<double>& roundsNs() const { return roundsNs_; }

private:
    std::string name_;
    Batch batch_;
    std::size_t timesPerRound_ = 1;
    std::vector<double> roundsNs_;
};

/// What is compared with Ferry, and the ratio to reach: `ferry / other` at most for a limit, `other / ferry` at least for a peer.
struct Goal {
    std::string contender;
    double ratio = 0;
};

/// Some work, done by several contenders. The limit is what cannot be beaten by much, such as copying the bytes.
struct Case {
    std::string name;
    std::string limitName;
    std::vector<Goal> goals;
    std::vector<Contender> contenders;

    const Contender* find(const std::string& contender) const;
    std::optional<double> goalFor(const std::string& contender) const;
};

/// All cases, in the order in which they were declared.
class Suite {
public:
    /// Declares a case before contenders are added to it.
    void declare(std::string caseName, std::string limitName, std::vector<Goal> goals = {});
    /// Adds a contender that does the work once each time that `operation` is called. The loop around it is compiled together with it.
    template <class Operation>
    void add(const std::string& caseName, const std::string& contender, Operation operation) {
        addBatch(caseName, contender, [operation = std::move(operation)](std::size_t times) mutable {
            for (; times != 0; --times) operation();
        });
    }
    /// Keeps the cases whose name contains the text.
    void filter(const std::string& text);
    /// Measures all contenders of each case, so many rounds; in a round each of them runs once.
    void measure(int rounds);

    std::vector<Case>& cases() { return cases_; }
    const std::vector<Case>& cases() const { return cases_; }

private:
    void addBatch(const std::string& caseName, const std::string& contender, Contender::Batch batch);

    std::vector<Case> cases_;
};

}    // namespace bench
