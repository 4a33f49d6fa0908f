#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/connector/Injection.hpp>
#include <ferry/tests/connector/RegionPlan.hpp>
#include <ferry/tests/connector/ThrowPoints.hpp>
#include <ferry/tests/simulation/Seeds.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace injectedjobtest {

class ChoreDone : public Message {
public:
    FERRY_CLASS(injectedjobtest::ChoreDone)
    void writeToInts(IntWriter& out) const override {
        throwPoint();
        out << number;
    }
    void readFromInts(IntReader& in) override {
        in >> number;
        throwPoint();
    }
    int number = 0;
};

class Chore : public Message {
public:
    FERRY_CLASS(injectedjobtest::Chore)
    using Reply = ChoreDone;
    void writeToInts(IntWriter& out) const override {
        throwPoint();
        out << number;
    }
    void readFromInts(IntReader& in) override {
        in >> number;
        throwPoint();
    }
    int number = 0;
};

/// A job with throws at random points: in handlers, in setUp, and in code that writes and reads. One object serves all ranks of a
/// simulation.
class InjectedJob {
public:
    explicit InjectedJob(std::uint64_t seed) : rankCount_(rankCountFor(seed)) {
        SeededRandom random(seed);
        const auto below = [&random](int count) { return static_cast<int>(random.below(static_cast<std::uint64_t>(count))); };
        throwsInSetUp_ = below(32) == 0;
        const bool mayStop = below(32) == 0;
        const int count = below(5);
        for (int number = 1; number <= count; ++number) {
            const auto form = static_cast<InjectedForm>(below(InjectedFormCount));
            const bool isReplaced = form == InjectedForm::Assertion && !mayStop;
            planned_.push_back({number, isReplaced ? InjectedForm::Own : form, below(rankCount_), 1 + below(25)});
        }
    }

    int rankCount() const noexcept { return rankCount_; }

    int run(Connector& connector) {
        int pointCount = 0;
        const ThrowPoints points([&] { meetPoint(connector.rank(), ++pointCount); });
        return conductJob(connector, {[this](Slave& slave) { define(slave); }, [this](Master& master) { work(master); }, nullptr});
    }

    /// Whether `status` is a correct return value of a rank.
    bool isStatus(int status) const {
        if (statuses_.empty()) return status == exitStatus::success;
        return statuses_.count(status) == 1;
    }
    /// Whether the master was told of each failure. Always true for a job that was stopped.
    bool isToldAll() const { return !statuses_.empty() || told_ == thrown_; }

private:
    void meetPoint(int rank, int pointCount) {
        for (const PlannedThrow& planned : planned_) {
            if (planned.rank != rank || planned.atPoint != pointCount) continue;
            thrown_.insert(planned.number);
            if (planned.form == InjectedForm::Assertion && rank != 0) statuses_.insert(exitStatus::assertion);
            throwInjected(planned.number, planned.form);
        }
    }

    void define(Slave& slave) {
        slave.setUp([this](Connector& connector) {
            if (throwsInSetUp_ && connector.rank() == 1) {
                statuses_.insert(exitStatus::exception);
                throwInjected(100, InjectedForm::Own);
            }
            return std::make_shared<int>(1);
        });
        slave.on<Chore>([](const Chore& chore, Task& task) {
            throwPoint();
            task.connector().poll();
            ChoreDone done;
            done.number = -chore.number;
            throwPoint();
            return done;
        });
    }

    void work(Master& master) {
        constexpr int choreCount = 20;
        std::vector<Future<ChoreDone>> futures;
        std::vector<int> numbers;
        for (int number = 1; number <= choreCount; ++number) {
            Chore chore;
            chore.number = number;
            tellOf([&] {
                futures.push_back(master.submit(chore));
                numbers.push_back(number);
            });
        }
        for (std::size_t i = 0; i < futures.size(); ++i) tellOf([&] { xassert(futures[i].get().number == -numbers[i]); });
    }

    template <class Function>
    void tellOf(Function function) {
        try {
            function();
        } catch (const Terminated&) {
            throw;
        } catch (...) {
            const std::optional<int> number = numberOfInjected(std::current_exception());
            if (!number || *number > 99) throw;
            const bool stopsTheJob = !statuses_.empty();
            told_.insert(*number);
            if (stopsTheJob) throw;
        }
    }

    int rankCount_;
    bool throwsInSetUp_ = false;
    std::vector<PlannedThrow> planned_;
    std::set<int> thrown_;
    std::set<int> told_;
    std::set<int> statuses_;    ///< statuses of the exceptions that must stop the job
};

}    // namespace injectedjobtest

using namespace injectedjobtest;

TEST_CASE("Job under simulation: in the exercise with throws in handlers, setUp, writing and reading, the master is told of each") {
    Seeds::forEach(300, [](std::uint64_t seed) {
        InjectedJob job(seed);
        SimulationOptions options;
        options.seed = seed;
        const auto result = simulate(job.rankCount(), options, [&job](Connector& connector) { return job.run(connector); });
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        for (const auto& status : result.values) {
            REQUIRE(status.has_value());
            REQUIRE(status == result.values.front());
            REQUIRE(job.isStatus(*status));
        }
        REQUIRE(job.isToldAll());
    });
}
