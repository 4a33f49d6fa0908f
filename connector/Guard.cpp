#include <ferry/connector/Guard.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/connector/collective/Tree.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/FailureRecord.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/IntReader.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

// Keys of the letters, frozen: docs/wire-format.md.
constexpr std::int32_t reportKey = 1;
constexpr std::int32_t verdictKey = 2;

// So often a rank tells the others that it has nothing under way any more from failed regions, so that they can forget those.
constexpr unsigned failuresPerMark = 64;
constexpr std::chrono::milliseconds ownMarkTime{10};    // for what usually takes microseconds

// Ranks that fail at the same moment meet within milliseconds.
constexpr std::chrono::seconds leastMeetingTime{1};
constexpr std::chrono::hours mostMeetingTime{24 * 3652};    // so that times can be added

/// What goes up the tree and comes down again.
struct RegionReport {
    std::int32_t last = 0;     ///< the last number of a region that was given away
    std::int32_t clock = 0;    ///< of a verdict: later than everything that was sent in the region
    std::vector<FailureRecord> failures;
    FERRY_FIELDS(last, clock, failures)
};

/// Whether it only says that another rank has failed.
bool isWake(const std::exception_ptr& thrown) { return dynamic_cast<const RegionFailed*>(Thrown(thrown).own()) != nullptr; }

/// The agreement of all ranks at the end of the innermost region.
class Agreement {
public:
    /// thrown: what the rank has thrown in the region, if anything.
    Agreement(Mailbox& mailbox, std::exception_ptr thrown)
        : mailbox_(mailbox),
          thrown_(std::move(thrown)),
          region_(mailbox.regions().innermost()),
          begin_(mailbox.transport().now()) {}

    /// The verdict; none when the job is stopped, when a region around this one has failed, and when a rank is gone.
    /// Errors: TimeoutError when a rank has not come in time.
    std::optional<RegionReport> reach(RegionReport report) {
        const Transport& transport = mailbox_.transport();
        const TreePlace place = placeInTree(transport.rank(), transport.size(), 0);
        for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) {
            std::optional<Letter> letter = await({child, place.children.rend()}, reportKey, timeFor(place.children.size()));
            if (!letter) return std::nullopt;
            add(report, read(std::move(*letter)));
        }
        if (place.parent == -1) {
            report.clock = mailbox_.regions().clock();
            for (const int child : place.children) mailbox_.postNow(child, pack(verdictKey, report));
            return report;
        }
        mailbox_.postNow(place.parent, pack(reportKey, report));
        const auto levels =
            std::bit_width(static_cast<unsigned>(transport.size())) + std::popcount(static_cast<unsigned>(transport.rank()));
        std::optional<Letter> verdict = await({place.parent}, verdictKey, timeFor(static_cast<std::size_t>(levels)));
        if (!verdict) return std::nullopt;
        for (const int child : place.children) mailbox_.postNow(child, verdict->ints);
        return read(std::move(*verdict));
    }

    /// The rank that was waited for and is gone, if any.
    std::optional<int> goneRank() const noexcept { return goneRank_; }

private:
    /// When a rank of a region with a deadline gives up: it has the time of the region again, and some more for each level of the tree that
    /// the letter has to come through, so that who misses a rank itself is the first to speak.
    Mailbox::Clock::time_point timeFor(std::size_t levels) const {
        const WaitLimit& limit = mailbox_.limit();
        if (!limit.isSet()) return limit.until;
        const auto time = std::clamp<Mailbox::Clock::duration>(limit.until - limit.since, leastMeetingTime, mostMeetingTime);
        return begin_ + time + time / 10 * static_cast<int>(levels);
    }

    /// The letter of the first of the ranks.
    std::optional<Letter> await(const std::vector<int>& ranks, std::int32_t key, Mailbox::Clock::time_point until) {
        const int from = ranks.front();
        const auto filterOf = [&](int rank) { return Filter({MessageKind::Agreement}, rank).withKey(key).withNumber(region_); };
        std::optional<Letter> letter;
        const auto isOver = [&] {
            letter = mailbox_.takeArrived(filterOf(from));
            return letter || mailbox_.isStopped() || mailbox_.regions().hasOuterFailed() || mailbox_.hasLeft(from);
        };
        try {
            if (!mailbox_.meet(from, isOver, until)) {
                std::vector<int> missing;
                std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(missing),
                             [&](int rank) { return !mailbox_.takeArrived(filterOf(rank)).has_value(); });
                giveUp(timeout(std::move(missing)));
            }
        } catch (const Deadlock& deadlock) {
            giveUp(deadlock);
        }
        if (!letter && mailbox_.hasLeft(from)) goneRank_ = from;
        return letter;
    }

    TimeoutError timeout(std::vector<int> missing) const {
        std::string what = fmt::format("rank {} at the end of a guarded region: the ranks can never meet again", fmt::join(missing, ", "));
        const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(mailbox_.transport().now() - begin_);
        return TimeoutError({std::move(missing), std::move(what)}, waited);
    }

    /// The ranks will never meet: tells all of them, and throws.
    template <class E>
    [[noreturn]] void giveUp(E error) {
        if (thrown_) error.setCause(thrown_);
        const auto reason = std::make_exception_ptr(error);
        const ExceptionMessage message(reason);
        for (int rank = 0; rank < mailbox_.transport().size(); ++rank) {
            if (rank == mailbox_.transport().rank() || mailbox_.hasLeft(rank)) continue;
            mailbox_.post(rank, Channel::Control, Envelope{MessageKind::GivenUp, 0, region_}, [&](IntWriter& out) { out << message; });
        }
        mailbox_.stop(reason);
        std::rethrow_exception(reason);
    }

    static void add(RegionReport& report, RegionReport other) {
        if (comesBefore(report.last, other.last)) report.last = other.last;
        mergeRecords(report.failures, std::move(other.failures));
    }

    IntBuffer pack(std::int32_t key, const RegionReport& report) {
        return mailbox_.pack(Envelope{MessageKind::Agreement, key, region_}, [&](IntWriter& out) { out << report; });
    }

    RegionReport read(Letter letter) {
        RegionReport report;
        IntReader in(letter.body(), mailbox_.factory());
        in >> report;
        in.expectEnd();
        mailbox_.giveBack(std::move(letter));
        return report;
    }

    Mailbox& mailbox_;
    std::exception_ptr thrown_;
    std::int32_t region_;
    Mailbox::Clock::time_point begin_;
    std::optional<int> goneRank_;
};

}    // namespace

void Guard::run(const std::function<void()>& function) {
    mailbox_.throwIfDue();
    mailbox_.requireNoUnwinding();
    const std::uint32_t enteredCount = collectives_.enteredCount();
    mailbox_.regions().enter();
    std::exception_ptr thrown;
    try {
        function();
        mailbox_.throwIfDue();    // what has come by now belongs to the region
    } catch (...) {
        thrown = std::current_exception();
    }
    end(thrown, enteredCount);
}

void Guard::end(const std::exception_ptr& thrown, std::uint32_t enteredCount) {
    Regions& regions = mailbox_.regions();
    const int rank = mailbox_.transport().rank();
    const bool hasThrown = thrown && !isWake(thrown);
    Agreement agreement(mailbox_, hasThrown ? thrown : nullptr);
    std::optional<RegionReport> verdict;
    try {
        if (!mailbox_.isStopped() && !regions.hasOuterFailed()) {
            RegionReport report;
            if (hasThrown) report.failures = recordsOf(thrown, rank, regions.clock());
            if (hasThrown) mailbox_.failRegion();
            if (!hasThrown && regions.failedRank() == rank) {
                const UsageError waited(
                    "a destructor waited for other ranks while an exception passed, which was caught inside of the region");
                report.failures = recordsOf(std::make_exception_ptr(waited), rank, regions.clock());
            }
            report.last = regions.last();
            verdict = agreement.reach(std::move(report));
        }
    } catch (...) {
        regions.leave();
        throw;
    }
    if (!verdict) {
        regions.leave();
        if (hasThrown) std::rethrow_exception(thrown);
        mailbox_.throwIfDue();    // why the job was stopped, or the failure of a region around this one
        throw RankHasLeft(agreement.goneRank().value_or(AnyRank));
    }
    if (verdict->failures.empty()) {
        regions.leave();
        return;
    }
    mailbox_.leaveFailedRegion(verdict->last, verdict->clock);
    collectives_.setEnteredCount(enteredCount);
    if (++failedCount_ % failuresPerMark == 0) tellThatAllHasBeenSent();
    const ThrowRecordingPause pause;    // where the failures were thrown is known already
    throw ExceptionList(std::move(verdict->failures), mailbox_.factory());
}

void Guard::tellThatAllHasBeenSent() {
    const Envelope mark{MessageKind::RegionFailed, 0, 0};
    const std::int32_t clock = mailbox_.regions().clock();
    for (int rank = 0; rank < mailbox_.transport().size(); ++rank) {
        mailbox_.postNow(rank, mailbox_.pack(mark, [](IntWriter&) {}));
        mailbox_.post(rank, Channel::Control, mark, [](IntWriter&) {});
    }
    // A rank that is alone never waits, and would not take in its own.
    const auto hasOwn = [this, clock] { return mailbox_.regions().hasHeardAfter(mailbox_.transport().rank(), clock); };
    mailbox_.pumpUntil(hasOwn, mailbox_.transport().now() + ownMarkTime);
}

}    // namespace ferry
