#include <ferry/connector/region/RegionRunner.hpp>

#include <chrono>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/exception/isOf.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/message/state/Regions.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/connector/region/Agreement.hpp>
#include <ferry/connector/region/lossAround.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/exception/LogicalClock.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

// Number of failed regions between two marks. With a mark a rank tells the others that none of its letters of failed regions is under way.
// The others can then forget these regions.
constexpr unsigned failuresPerMark = 64;
constexpr std::chrono::milliseconds ownMarkTime{10};    // limit of a wait that usually takes microseconds

/// Whether the exception only says that another rank has failed.
bool isWake(const std::exception_ptr& thrown) noexcept { return isOf<RegionFailed>(thrown); }

bool isLoss(const std::exception_ptr& thrown) noexcept { return isOf<LostRank>(thrown); }

}    // namespace

void RegionRunner::run(const std::function<void()>& function) {
    mailbox_.throwIfDue();
    mailbox_.departures().throwIfAnyLost();
    mailbox_.nest().requireNoUnwinding();
    mailbox_.nest().requireOwnRegion();
    Regions& regions = mailbox_.regions();
    if (regions.rememberedRanges() > 2 * failuresPerMark) mailbox_.poll(Mailbox::PollWork::None);    // marks that no wait has taken in
    const Entry entry{collectives_.beginRegion(), regions.clock()};
    const LogicalClockScope clock(regions.clock());
    mailbox_.nest().enterRegion();
    std::exception_ptr thrown;
    try {
        function();
        mailbox_.throwIfDue();    // failures that have come by now belong to the region
    } catch (ForcedUnwind&) {
        throw;
    } catch (...) {
        thrown = std::current_exception();
    }
    end(thrown, entry);
}

void RegionRunner::end(const std::exception_ptr& thrown, const Entry& entry) {
    const bool hasThrown = thrown && !isWake(thrown);
    Agreement agreement(mailbox_, hasThrown ? thrown : nullptr);
    std::optional<RegionReport> verdict;
    try {
        const bool canMeet = !mailbox_.due().isStopped() && !mailbox_.nest().hasOuterFailed() && !mailbox_.departures().isAnyLost() &&
                             !isAnyAroundLost(mailbox_) && !mailbox_.due().isSummoned();
        if (canMeet) verdict = agreement.reach(reportOf(thrown, entry));
    } catch (const SerializationError&) {
        mailbox_.nest().leaveRegion();
        giveUp(std::current_exception());
    } catch (const std::bad_alloc&) {
        mailbox_.nest().leaveRegion();
        giveUp(std::current_exception());
    } catch (...) {
        mailbox_.nest().leaveRegion();
        throw;
    }
    if (!verdict) {
        mailbox_.nest().leaveRegion();
        throwIfLost(hasThrown ? thrown : nullptr);
        throwIfSummoned(hasThrown ? thrown : nullptr);
        if (agreement.goneRank()) {    // after a mere failure of the region the program might wait for that rank
            RankHasLeft gone(*agreement.goneRank());
            if (hasThrown) gone.setCause(thrown);
            gone.raise();
        }
        if (hasThrown) std::rethrow_exception(thrown);
        mailbox_.throwIfDue();    // the reason why the job was stopped, or the failure of a region around this one
        throw RankHasLeft(AnyRank);
    }
    if (verdict->failures.empty()) {
        mailbox_.nest().leaveRegion();
        collectives_.endRegion(entry.collectives);
        return;
    }
    mailbox_.nest().leaveFailedRegion(verdict->last, verdict->clock);
    collectives_.goBack(entry.collectives, verdict->clock);
    if (++failedCount_ % failuresPerMark == 0) tellThatAllHasBeenSent();
    const ThrowRecordingPause pause;    // the places of the throws are known already
    throw ExceptionList(std::move(verdict->failures), mailbox_.factory());
}

/// Throws the LostRank that ends the region when a rank is lost: the ranks cannot meet any more. Every rank hears of the loss by itself.
void RegionRunner::throwIfLost(const std::exception_ptr& thrown) const {
    if (mailbox_.due().isStopped() || mailbox_.nest().hasOuterFailed()) return;
    std::optional<Loss> loss = mailbox_.departures().firstLoss();
    if (!loss) loss = lossAround(mailbox_);
    if (!loss) return;
    if (thrown && isLoss(thrown)) std::rethrow_exception(thrown);
    LostRank lost(*loss);
    if (thrown) lost.setCause(thrown);
    lost.raise();
}

/// Throws the LostRank of a connector around this one: its other ranks do not come to the end of this region, but to shrink().
void RegionRunner::throwIfSummoned(const std::exception_ptr& thrown) const {
    if (mailbox_.due().isStopped() || mailbox_.nest().hasOuterFailed() || !mailbox_.due().isSummoned()) return;
    if (thrown && isLoss(thrown)) std::rethrow_exception(thrown);
    try {
        mailbox_.throwIfDue();
    } catch (LostRank& lost) {
        if (thrown) lost.setCause(thrown);
        throw;
    }
}

/// The report of this rank on its own part. If the part has failed, all other ranks are told at once.
RegionReport RegionRunner::reportOf(const std::exception_ptr& thrown, const Entry& entry) {
    Regions& regions = mailbox_.regions();
    const int rank = mailbox_.transport().rank();
    RegionReport report;
    if (thrown && !isWake(thrown)) {
        const std::int32_t thrownAt = regions.timeOf(thrown, entry.clock);
        mailbox_.nest().failRegion();    // before the stack is made readable, which takes long the first time
        report.failures = insist([&] { return recordsOf(thrown, mailbox_.nest().rankInJob(rank), thrownAt); });
    } else if (regions.failedRank() == rank) {
        const UsageError caught("an exception that ends the guarded region was caught inside of the region: let it leave the region");
        report.failures = recordsOf(std::make_exception_ptr(caught), mailbox_.nest().rankInJob(rank), regions.clock());
    }
    report.last = regions.last();
    report.isWhole = !thrown && !regions.hasInnermostFailed();
    report.collectives = collectives_.history();
    return report;
}

/// Gives up when the verdict cannot be read: this rank does not know how the region has ended on the others. A region around this one
/// fails. Where there is none, no rank can use the connector any more.
void RegionRunner::giveUp(const std::exception_ptr& reason) {
    if (mailbox_.regions().innermost() != 0) {
        mailbox_.nest().failRegion();
    } else {
        insist([&] { mailbox_.due().stop(reason); });
        const Transport& transport = mailbox_.transport();
        const std::string text = insist([&] {
            return fmt::format("rank {} does not know how a guarded region has ended: {}", transport.rank(), Thrown(reason).text());
        });
        for (int rank = 0; rank < transport.size(); ++rank) {
            if (rank == transport.rank()) continue;
            insist([&] {
                mailbox_.post(rank, Channel::Control, Envelope{MessageKind::Stop, 0, 1}, [&text](IntWriter& out) { out << text; });
            });
        }
    }
    std::rethrow_exception(reason);
}

void RegionRunner::tellThatAllHasBeenSent() {
    const Envelope mark{MessageKind::RegionFailed, 0, 0};
    const std::int32_t clock = mailbox_.regions().clock();
    for (int rank = 0; rank < mailbox_.transport().size(); ++rank) {
        insist([&] { mailbox_.postNow(rank, mailbox_.pack(mark, [](IntWriter&) {})); });
        insist([&] { mailbox_.post(rank, Channel::Control, mark, [](IntWriter&) {}); });
    }
    // A rank that is alone never waits. Without this wait it would not take in its own mark.
    const auto hasOwn = [this, clock] { return mailbox_.regions().hasHeardAfter(mailbox_.transport().rank(), clock); };
    mailbox_.pumpUntil(hasOwn, mailbox_.transport().now() + ownMarkTime);
}

}    // namespace ferry::detail
