#include <ferry/tests/connector/GuardedCampaign.hpp>

#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/collective/Operators.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/message/Message.hpp>

namespace ferry::test {

namespace {

/// A message that says to which step it belongs.
class Token : public Message {
public:
    FERRY_CLASS(ferry::test::Token)
    FERRY_FIELDS(step)
    Token() = default;
    explicit Token(int theStep) : step(theStep) {}
    int step = 0;
};

/// One that is sent in a region and received only behind it.
class Stray : public Message {
public:
    FERRY_CLASS(ferry::test::Stray)
    FERRY_FIELDS(step)
    Stray() = default;
    explicit Stray(int theStep) : step(theStep) {}
    int step = 0;
};

enum class Action {
    Barrier,
    Broadcast,
    Gather,
    Reduce,
    AllReduce,
    Scan,
    AllGather,
    Scatter,
    AllToAll,
    Ring,
    FromAny,
    LargeRing,
    LeaveStray,
    Poll,
    Flush,
    Nested,
};
constexpr int ActionCount = 16;

/// One rank's way through the campaign. All random numbers are drawn on every rank alike, whether they concern it or not.
class Campaign {
public:
    Campaign(Connector& connector, std::uint64_t seed) : c_(connector), random_(seed) {}

    void runRegion() {
        const Plan plan = makePlan(0);
        const int stepBefore = step_;
        bool hasFailed = false;
        try {
            c_.guarded([&] { carryOut(plan); });
        } catch (const ExceptionList& failures) {
            hasFailed = true;
            checkFailures(plan, failures);
        }
        CHECK(hasFailed == !plan.failingRanks.empty());
        step_ = stepBefore + 1'000;
        collectStrays(plan, hasFailed);
        exchange();
    }

private:
    struct Step {
        Action action = Action::Barrier;
        int root = 0;
        std::vector<bool> throwsBefore;    ///< by rank
        bool isSwallowed = false;          ///< whatever the step throws
        std::vector<Step> nested;
        std::set<int> nestedFailing;
        std::set<int> nestedPossible;
        bool isNestedCaught = false;
    };
    struct Plan {
        std::vector<Step> steps;
        std::set<int> failingRanks;     ///< that throw if they get so far, and let the region fail
        std::set<int> possibleRanks;    ///< the same, and those that throw in regions inside, which may fail at the same time
    };

    int draw(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

    Plan makePlan(int depth) {
        Plan plan;
        const bool mayFail = draw(4) != 0;
        const int stepCount = 1 + draw(6);
        for (int i = 0; i < stepCount; ++i) plan.steps.push_back(makeStep(plan, depth, mayFail));
        return plan;
    }

    Step makeStep(Plan& plan, int depth, bool mayFail) {
        Step step;
        step.action = static_cast<Action>(draw(ActionCount));
        step.root = draw(c_.size());
        step.isSwallowed = draw(8) == 0;
        for (int rank = 0; rank < c_.size(); ++rank) {
            const bool throwsHere = draw(4 * c_.size()) == 0 && mayFail;
            step.throwsBefore.push_back(throwsHere);
            if (throwsHere) plan.failingRanks.insert(rank);
            if (throwsHere) plan.possibleRanks.insert(rank);
        }
        if (step.action == Action::Nested && depth < 2) {
            Plan nested = makePlan(depth + 1);
            step.isNestedCaught = draw(2) == 0;
            if (!step.isNestedCaught) plan.failingRanks.insert(nested.failingRanks.begin(), nested.failingRanks.end());
            plan.possibleRanks.insert(nested.possibleRanks.begin(), nested.possibleRanks.end());
            step.nested = std::move(nested.steps);
            step.nestedPossible = std::move(nested.possibleRanks);
            step.nestedFailing = std::move(nested.failingRanks);
            if (!step.isNestedCaught) step.isSwallowed = false;    // else it would not be sure that the region fails
        }
        return step;
    }

    void carryOut(const Plan& plan) { carryOut(plan.steps, 0); }

    void carryOut(const std::vector<Step>& steps, int depth) {
        for (const Step& step : steps) {
            ++step_;
            if (step.throwsBefore[static_cast<std::size_t>(c_.rank())])
                throw std::runtime_error("planned on rank " + std::to_string(c_.rank()));
            if (!step.isSwallowed) {
                act(step, depth);
                continue;
            }
            try {
                act(step, depth);
            } catch (...) {    // what code does that does not know better
            }
        }
    }

    /// The operation stands outside of CHECK, which would catch what it throws.
    template <class T>
    static void expect(const T& found, const T& expected) {
        CHECK(found == expected);
    }

    void act(const Step& step, int depth) {
        const int mark = step_;
        const int size = c_.size();
        const auto rankCount = static_cast<std::size_t>(size);
        const int sum = size * (size - 1) / 2;
        switch (step.action) {
            case Action::Barrier: c_.barrier(); break;
            case Action::Broadcast: expect(c_.broadcast(mark * (c_.rank() + 1), step.root), mark * (step.root + 1)); break;
            case Action::Gather: {
                const std::vector<int> all = c_.gather(mark + c_.rank(), step.root);
                CHECK(all == (c_.rank() == step.root ? ranksFrom(mark) : std::vector<int>()));
                break;
            }
            case Action::Reduce:
                expect(c_.reduce(c_.rank() + mark, Sum{}, step.root), (c_.rank() == step.root ? sum + size * mark : 0));
                break;
            case Action::AllReduce:
                expect(c_.allReduce(std::vector<int>{c_.rank(), mark}, Sum{}), std::vector<int>{sum, size * mark});
                break;
            case Action::Scan: expect(c_.scan(mark, Sum{}), mark * (c_.rank() + 1)); break;
            case Action::AllGather: expect(c_.allGather(mark + c_.rank()), ranksFrom(mark)); break;
            case Action::Scatter: expect(c_.scatter(ranksFrom(mark), step.root), mark + c_.rank()); break;
            case Action::AllToAll: expect(c_.allToAll(std::vector<int>(rankCount, mark + c_.rank())), ranksFrom(mark)); break;
            case Action::Ring: exchange(); break;
            case Action::FromAny:
                for (int to = 0; to < size; ++to) c_.send(to, std::pair<int, int>(mark, c_.rank()));
                for (int from = 0; from < size; ++from) expect(c_.receive<std::pair<int, int>>(from), std::pair<int, int>(mark, from));
                break;
            case Action::LargeRing:
                c_.send((c_.rank() + 1) % size, std::vector<int>(20'000, mark));
                expect(c_.receive<std::vector<int>>((c_.rank() + size - 1) % size), std::vector<int>(20'000, mark));
                break;
            case Action::LeaveStray:
                if (depth == 0) c_.send((c_.rank() + 1) % size, Stray(regionStep()));
                break;
            case Action::Poll: c_.poll(); break;
            case Action::Flush: c_.flush(); break;
            case Action::Nested: actNested(step, depth); break;
        }
    }

    void actNested(const Step& step, int depth) {
        if (depth >= 2) return;
        const int before = step_;
        try {
            c_.guarded([&] { carryOut(step.nested, depth + 1); });
            CHECK(step.nestedFailing.empty());
        } catch (const ExceptionList& failures) {
            CHECK(!step.nestedFailing.empty());
            for (const Failure& failure : failures) CHECK(step.nestedPossible.count(failure.origin().rank) == 1);
            if (!step.isNestedCaught) throw;
        }
        step_ = before + 100;
    }

    int regionStep() const { return step_ / 1'000; }

    std::vector<int> ranksFrom(int start) const {
        std::vector<int> values;
        for (int rank = 0; rank < c_.size(); ++rank) values.push_back(start + rank);
        return values;
    }

    void exchange() {
        const int size = c_.size();
        c_.send((c_.rank() + 1) % size, Token(step_));
        expect(c_.receive<Token>((c_.rank() + size - 1) % size).step, step_);
    }

    void checkFailures(const Plan& plan, const ExceptionList& failures) {
        CHECK(failures.size() > 0);
        for (const Failure& failure : failures) {
            CHECK(plan.possibleRanks.count(failure.origin().rank) == 1);
            CHECK(std::string(failure.what()) == "planned on rank " + std::to_string(failure.origin().rank));
        }
        const std::vector<std::string> texts = c_.allGather(std::string(failures.what()));
        CHECK(texts == std::vector<std::string>(static_cast<std::size_t>(c_.size()), failures.what()));
    }

    /// Strays of a region that did not fail are received behind it; of one that failed, none is there.
    void collectStrays(const Plan& plan, bool hasFailed) {
        if (hasFailed) return;
        for (const Step& step : plan.steps) {
            if (step.action == Action::LeaveStray)
                expect(c_.receive<Stray>((c_.rank() + c_.size() - 1) % c_.size()).step, regionStep() - 1);
        }
    }

    Connector& c_;
    std::mt19937_64 random_;
    int step_ = 1'000;
};

}    // namespace

void runGuardedCampaign(Connector& connector, std::uint64_t seed, int regionCount) {
    INFO("seed ", seed);
    Campaign campaign(connector, seed);
    for (int region = 0; region < regionCount; ++region) campaign.runRegion();
    const auto leftOver = connector.mailbox().tryTake(Filter({MessageKind::Object, MessageKind::Value}));
    CHECK_FALSE(leftOver.has_value());
}

}    // namespace ferry::test
