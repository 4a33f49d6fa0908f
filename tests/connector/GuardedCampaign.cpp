#include <ferry/tests/connector/GuardedCampaign.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/tests/connector/Injection.hpp>
#include <ferry/tests/connector/RegionActions.hpp>
#include <ferry/tests/connector/RegionPlan.hpp>

namespace ferry::test {

/// A message that is sent in a region and received only behind it.
struct Stray {
    int mark = 0;
    FERRY_FIELDS(mark)
};

/// A message that is sent behind a region.
struct Token {
    int mark = 0;
    FERRY_FIELDS(mark)
};

/// The way in which a rank has left a region.
struct WayOut {
    /// An exception that has left the rank's part of the region.
    /// number: the number of the injected failure, or -1 for a consequence. ranks: the ranks that threw it.
    struct Left {
        int number = 0;
        std::vector<int> ranks{};
    };
    std::vector<Left> left{};
    bool hasFailed = false;
    std::vector<int> told{};          ///< numbers of the failures in the list, in its order; -1 for a consequence
    std::vector<int> thrownHere{};    ///< numbers in `told` that this rank itself has thrown, out of its part of this region or of an inner
                                      ///< one
};

namespace {

/// Whether the exception is a consequence: another rank failed and has dropped the data that it was sending.
bool isConsequence(const std::exception_ptr& exception) { return detail::Thrown(exception).as<Cancelled>() != nullptr; }

std::vector<WayOut::Left> leftWith(const std::exception_ptr& thrown, int rank) {
    const detail::Thrown seen(thrown);
    if (seen.as<RegionFailed>() != nullptr) return {};
    if (const auto* list = seen.as<ExceptionList>()) {
        std::vector<WayOut::Left> left;
        for (const Failure& failure : *list) left.push_back({numberOfInjected(failure.exception()).value_or(-1), failure.ranks()});
        return left;
    }
    return {{numberOfInjected(thrown).value_or(-1), {seen.isRemote() ? seen.origin().rank : rank}}};
}

class Campaign {
public:
    Campaign(Connector& connector, const CampaignOptions& options)
        : c_(connector),
          planner_(options.seed, connector.size()),
          actions_(connector, [this](const char* what, int mark) { note(fmt::format("wrong result of {} (mark {})", what, mark)); }),
          watch_(options.watch),
          waitsForAnyRank_(options.waitsForAnyRank) {}

    void runRegion() {
        const RegionPlan plan = planner_.next();
        throws_ = plan.throws;
        pointCount_ = 0;
        bool hasFailed = false;
        {
            const ThrowPoints points([this] { meetPoint(); });
            try {
                runGuarded(plan);
            } catch (const ExceptionList&) {
                hasFailed = true;
            }
        }
        collectStrays(plan, hasFailed);
        exchangeTokens();
    }

    std::vector<std::string> end() {
        const detail::Filter all(
            {detail::MessageKind::Object, detail::MessageKind::Value, detail::MessageKind::Graph, detail::MessageKind::Agreement});
        c_.poll();
        if (detail::mailboxOf(c_).arrived().take(all)) note("something was left over");
        return problems_;
    }

private:
    void note(const std::string& problem) { problems_.push_back(fmt::format("rank {}, region {}: {}", c_.rank(), regionCount_, problem)); }
    void require(bool condition, const std::string& problem) {
        if (!condition) note(problem);
    }

    void meetPoint() {
        if (!isArmed_) return;
        ++pointCount_;
        for (const PlannedThrow& planned : throws_) {
            if (planned.rank != c_.rank() || planned.atPoint != pointCount_) continue;
            if (watch_ != nullptr) watch_->threw(planned.rank, planned.number);
            throwInjected(planned.number, planned.form);
        }
    }

    void noteLeaving(const std::exception_ptr& thrown, WayOut& own) {
        own.left = leftWith(thrown, c_.rankInJob(c_.rank()));
        const std::optional<int> number = numberOfInjected(thrown);
        if (number && !detail::Thrown(thrown).isRemote()) thrownHere_.insert(*number);
    }

    /// Runs a region. Throws the list of failures of a region that has failed.
    void runGuarded(const RegionPlan& plan) {
        ++regionCount_;
        WayOut own;
        try {
            c_.guarded([&] {
                try {
                    carryOut(plan);
                } catch (...) {
                    noteLeaving(std::current_exception(), own);
                    throw;
                }
            });
        } catch (const ExceptionList& failures) {
            own.hasFailed = true;
            for (const Failure& failure : failures) own.told.push_back(numberOfInjected(failure.exception()).value_or(-1));
            std::copy_if(own.told.begin(), own.told.end(), std::back_inserter(own.thrownHere),
                         [this](int number) { return thrownHere_.contains(number); });
            check(own, failures);
            throw;
        }
        check(own, ExceptionList());
    }

    void carryOut(const RegionPlan& plan) {
        for (const PlannedStep& step : plan.steps) {
            try {
                carryOut(step);
            } catch (const RegionFailed&) {
                if (!step.isWakeSwallowed) throw;
            }
        }
    }

    void carryOut(const PlannedStep& step) {
        switch (step.kind) {
            case PlannedStep::Kind::Action: {
                const bool isReplaced = step.action == RegionAction::FromAny && !waitsForAnyRank_;
                actions_.act(isReplaced ? RegionAction::Ring : step.action, step.mark, step.root);
                break;
            }
            case PlannedStep::Kind::LeaveStray: c_.send(next(), Stray{step.mark}); break;
            case PlannedStep::Kind::Region: try { runGuarded(*step.region);
                } catch (const ExceptionList&) {
                    if (!step.isRegionCaught) throw;
                }
        }
    }

    /// All ranks exchange the ways in which they left the region, and compare them. So the connector has to be usable.
    void check(const WayOut& own, const ExceptionList& failures) {
        const bool wasArmed = std::exchange(isArmed_, false);
        const std::vector<WayOut> ways = allWays(own);
        isArmed_ = wasArmed;
        std::map<int, std::set<int>> expected;
        bool hasConsequence = false;
        for (const WayOut& way : ways) {
            require(way.hasFailed == own.hasFailed, "not all ranks came out in the same way");
            require(way.told == own.told, "the lists differ");
            for (const WayOut::Left& left : way.left) {
                hasConsequence = hasConsequence || left.number < 0;
                if (left.number >= 0) expected[left.number].insert(left.ranks.begin(), left.ranks.end());
            }
        }
        require(own.hasFailed == (hasConsequence || !expected.empty()), "the region has not ended as the parts of its ranks");
        if (own.hasFailed) checkList(failures, expected, hasConsequence);
        if (own.hasFailed && watch_ != nullptr) watch_->failed(c_.rank(), numbersWhereThrown(failures, ways));
    }

    std::vector<WayOut> allWays(const WayOut& own) { return c_.allGather(std::vector<WayOut>{own}); }

    /// Returns the numbers of the failures that the throwing rank itself reported. Other ranks report a failure later than it was thrown.
    static std::vector<int> numbersWhereThrown(const ExceptionList& failures, const std::vector<WayOut>& ways) {
        std::vector<int> numbers;
        for (const Failure& failure : failures) {
            const std::optional<int> number = numberOfInjected(failure.exception());
            const std::vector<int>& thrown = ways.at(static_cast<std::size_t>(failure.rank())).thrownHere;
            if (number && std::find(thrown.begin(), thrown.end(), *number) != thrown.end()) numbers.push_back(*number);
        }
        return numbers;
    }

    void checkList(const ExceptionList& failures, const std::map<int, std::set<int>>& expected, bool hasConsequence) {
        std::size_t count = 0;
        for (const Failure& failure : failures) {
            const std::optional<int> number = numberOfInjected(failure.exception());
            if (!number) {
                require(hasConsequence && isConsequence(failure.exception()), "nobody has thrown this: " + report(failure.exception()));
                continue;
            }
            ++count;
            const auto thrown = expected.find(*number);
            require(thrown != expected.end(), fmt::format("{} has left no part", *number));
            const std::set<int> ranks(failure.ranks().begin(), failure.ranks().end());
            require(thrown == expected.end() || thrown->second == ranks,
                    fmt::format("{} has left the parts of other ranks ({})", *number, report(failure.exception())));
            require(isThrower(failure.origin().rank, *number),
                    fmt::format("{} comes from another rank than {}", *number, failure.origin().rank));
        }
        require(count == expected.size(), fmt::format("{} failures instead of {}", count, expected.size()));
        require(failures.size() == 0 || numberOfInjected(failures.front().exception()).has_value(), "a consequence is told for the cause");
    }

    bool isThrower(int rank, int number) const {
        return std::any_of(throws_.begin(), throws_.end(),
                           [&](const PlannedThrow& planned) { return planned.number == number && c_.rankInJob(planned.rank) == rank; });
    }

    int next() const { return (c_.rank() + 1) % c_.size(); }
    int previous() const { return (c_.rank() + c_.size() - 1) % c_.size(); }

    /// Behind a region without failure, receives its strays. Behind a failed region, no stray exists.
    void collectStrays(const RegionPlan& plan, bool hasFailed) {
        if (hasFailed) return;
        for (const PlannedStep& step : plan.steps) {
            if (step.kind == PlannedStep::Kind::LeaveStray)
                require(c_.receive<Stray>(previous()).mark == step.mark, "a stray of another region");
        }
    }

    void exchangeTokens() {
        c_.send(next(), Token{++outermostCount_});
        require(c_.receive<Token>(previous()).mark == outermostCount_, "a token of another region");
        c_.barrier();
    }

    Connector& c_;
    RegionPlanner planner_;
    RegionActions actions_;
    CampaignWatch* watch_;
    bool waitsForAnyRank_;
    std::vector<std::string> problems_;
    std::vector<PlannedThrow> throws_;
    int pointCount_ = 0;
    int regionCount_ = 0;           // number of regions that this rank has entered
    int outermostCount_ = 0;        // number of outermost regions that this rank has left
    std::set<int> thrownHere_{};    ///< numbers of injected failures
    bool isArmed_ = true;
};

}    // namespace

std::vector<std::string> runGuardedCampaign(Connector& connector, const CampaignOptions& options) {
    Campaign campaign(connector, options);
    for (int region = 0; region < options.regions; ++region) campaign.runRegion();
    return campaign.end();
}

}    // namespace ferry::test
