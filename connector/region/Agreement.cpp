#include <ferry/connector/region/Agreement.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>
#include <iterator>
#include <new>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/connector/collective/shape/Tree.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/message/state/Regions.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/connector/region/lossAround.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

FERRY_FIELDS_DEFINED(ferry::detail::RegionReport)

namespace ferry::detail {

namespace {

// Keys of the letters, frozen: docs/wire-format.md.
constexpr std::int32_t reportKey = 1;
constexpr std::int32_t verdictKey = 2;

// One rank is ahead of another by the regions inside one region and the next one. That is far fewer regions than this number.
constexpr std::uint32_t farAhead = 1024;
// Limit for region numbers in reports. Each unreadable report may have added farAhead to a number.
constexpr std::uint32_t impossiblyFar = 4 * farAhead;

// Limits of the time that ranks have to meet. Ranks that fail at the same moment meet within milliseconds.
constexpr std::chrono::seconds leastMeetingTime{1};
constexpr std::chrono::hours mostMeetingTime{24 * 3652};    // so that times can be added without overflow

std::int32_t moved(std::int32_t number, std::uint32_t by) noexcept {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(number) + by);
}

bool isNear(std::int32_t number, std::int32_t other) noexcept {
    return !comesBefore(moved(other, impossiblyFar), number) && !comesBefore(moved(number, impossiblyFar), other);
}

/// Whether the envelope of a letter of the agreement is impossible.
bool isOdd(const Letter& letter, std::int32_t key) noexcept {
    return letter.envelope.key != key || letter.envelope.number != letter.envelope.region;
}

void require(bool condition, const char* expected, std::int64_t found) {
    if (!condition) throw SerializationError(fmt::format("expected {} at the end of a guarded region, found {}", expected, found));
}

}    // namespace

std::int32_t agreementCheck(std::span<const std::int32_t> ints) noexcept {
    std::uint32_t check = 2'166'136'261;
    for (const std::int32_t value : ints) check = (check ^ static_cast<std::uint32_t>(value)) * 16'777'619;
    return static_cast<std::int32_t>(check);
}

Agreement::Agreement(Mailbox& mailbox, std::exception_ptr thrown)
    : mailbox_(mailbox),
      thrown_(std::move(thrown)),
      region_(mailbox.regions().innermost()),
      begin_(mailbox.transport().now()) {}

std::optional<RegionReport> Agreement::reach(RegionReport report) {
    const Transport& transport = mailbox_.transport();
    const TreePlace place = placeInTree(transport.rank(), transport.size(), 0);
    const std::vector<int> nearestFirst(place.children.rbegin(), place.children.rend());
    for (std::size_t i = 0; i < nearestFirst.size(); ++i) {
        if (!addReportOf(std::span(nearestFirst).subspan(i), report)) return std::nullopt;
    }
    if (place.parent == -1) {
        if (!report.isWhole && report.failures.empty()) addFalseWake(report);
        report.clock = mailbox_.regions().clock();
        for (const int child : place.children) insist([&] { mailbox_.postNow(child, pack(verdictKey, report)); });
        return report;
    }
    insist([&] { mailbox_.postNow(place.parent, pack(reportKey, report)); });
    const std::int32_t reportedAt = mailbox_.regions().clock();
    const auto levels = std::bit_width(static_cast<unsigned>(transport.size())) + std::popcount(static_cast<unsigned>(transport.rank()));
    std::optional<Letter> letter = await({&place.parent, 1}, verdictKey, static_cast<std::size_t>(levels));
    if (!letter) return std::nullopt;
    for (const int child : place.children) insist([&] { mailbox_.postNow(child, letter->wholeInts()); });
    for (std::exception_ptr& damaged : damaged_) mailbox_.due().throwSoon(std::move(damaged));
    RegionReport verdict = insist([&] { return read(*letter, verdictKey); });
    mailbox_.giveBack(std::move(*letter));
    require(!comesBefore(verdict.last, report.last), "a last region that is not before this rank's", verdict.last);
    const bool isTimely = comesBefore(reportedAt, verdict.clock) && comesBefore(verdict.clock, mailbox_.regions().clock());
    require(isTimely, "a time between the report and the verdict", verdict.clock);
    return verdict;
}

bool Agreement::addReportOf(std::span<const int> children, RegionReport& report) {
    const int rank = mailbox_.transport().rank();
    const TreePlace place = placeInTree(rank, mailbox_.transport().size(), 0);
    std::optional<Letter> letter = await(children, reportKey, place.children.size());
    const std::int32_t clock = mailbox_.regions().clock();
    for (const std::exception_ptr& damaged : std::exchange(damaged_, {}))
        mergeRecords(report.failures, recordsOf(damaged, mailbox_.nest().rankInJob(rank), clock));
    if (!letter) return false;
    try {
        insist([&] { add(report, children.front(), read(*letter, reportKey)); });
        mailbox_.giveBack(std::move(*letter));
    } catch (const SerializationError&) {
        addUnread(report, std::current_exception(), clock);
    } catch (const std::bad_alloc&) {
        addUnread(report, std::current_exception(), clock);
    }
    return true;
}

/// Adds a failure in place of a report that cannot be read.
void Agreement::addUnread(RegionReport& report, const std::exception_ptr& reason, std::int32_t clock) const {
    insist([&] { mergeRecords(report.failures, recordsOf(reason, mailbox_.nest().rankInJob(mailbox_.transport().rank()), clock)); });
    report.last = moved(report.last, farAhead);    // after every region number that the ranks below may have used
}

/// Adds a failure when a rank was woken although no rank has failed. The woken rank has not done its part, so the region must fail.
void Agreement::addFalseWake(RegionReport& report) const {
    const SerializationError falseWake("a rank was told of a failure in a guarded region in which no rank has failed");
    report.failures =
        recordsOf(std::make_exception_ptr(falseWake), mailbox_.nest().rankInJob(mailbox_.transport().rank()), mailbox_.regions().clock());
}

/// Adds the report of a child. Ranks that have come to the end without a failure must have entered the same collectives. The other ranks
/// have stopped where they were woken.
void Agreement::add(RegionReport& report, int child, RegionReport other) const {
    const int rank = mailbox_.transport().rank();
    if (report.isWhole && other.isWhole && report.collectives != other.collectives) {
        const CollectiveMismatch mismatch({rank, describeHistory(report.collectives)}, {child, describeHistory(other.collectives)});
        mergeRecords(report.failures,
                     recordsOf(std::make_exception_ptr(mismatch), mailbox_.nest().rankInJob(rank), mailbox_.regions().clock()));
    }
    report.isWhole = report.isWhole && other.isWhole;
    if (comesBefore(report.last, other.last)) report.last = other.last;
    mergeRecords(report.failures, std::move(other.failures));
}

/// Whether the letter belongs to this agreement, or is a damaged letter that may belong to it.
bool Agreement::isWanted(const Letter& letter, int from, std::int32_t key) const noexcept {
    if (letter.envelope.kind != MessageKind::Agreement || letter.from != from) return false;
    return letter.envelope.number == region_ || isOdd(letter, key);
}

/// Waits for the letter of the first of the ranks. None when the ranks cannot meet any more. levels: the number of tree levels that the
/// letter comes through.
std::optional<Letter> Agreement::await(std::span<const int> ranks, std::int32_t key, std::size_t levels) {
    const int from = ranks.front();
    const Mailbox::Clock::time_point until = timeFor(levels);
    std::optional<Letter> letter;
    const auto isOver = [&] {
        if (!letter) letter = mailbox_.arrived().takeIf([&](const Letter& arrived) { return isWanted(arrived, from, key); });
        return letter || mailbox_.due().isStopped() || mailbox_.nest().hasOuterFailed() || mailbox_.departures().hasLeft(from) ||
               mailbox_.departures().isAnyLost() || isAnyAroundLost(mailbox_) || mailbox_.due().isSummoned();
    };
    const auto describe = [from] { return Awaited{{from}, fmt::format("rank {} at the end of a guarded region", from)}; };
    int triesLeft = mostTriesWithoutMemory;
    for (bool isWaiting = true; isWaiting;) {
        try {
            if (!mailbox_.pumpUntil(std::cref(isOver), until, Waiter::Meeting, describe)) giveUpOn(ranks, key);
            isWaiting = false;
        } catch (const Deadlock& deadlock) {
            giveUp(deadlock);
        } catch (const std::bad_alloc&) {
            if (--triesLeft == 0) throw;    // the other ranks wait for this one
        } catch (const SerializationError&) {
            damaged_.push_back(std::current_exception());    // this was another letter, which is dropped
        }
    }
    if (!letter && mailbox_.departures().hasLeft(from)) goneRank_ = from;
    return letter;
}

/// The time at which a rank of a region with a deadline gives up. The rank waits for the time of the region once more. For each level of
/// the tree that the letter comes through it adds a tenth of that time. So a rank that itself waits for the missing rank gives up first,
/// and names it.
Mailbox::Clock::time_point Agreement::timeFor(std::size_t levels) const {
    const WaitLimit& limit = mailbox_.nest().limit();
    if (!limit.isSet()) return limit.until;
    const auto time = std::clamp<Mailbox::Clock::duration>(limit.until - limit.since, leastMeetingTime, mostMeetingTime);
    return begin_ + time + time / 10 * static_cast<int>(levels);
}

/// Gives up when the time is over. The error names the ranks whose letters have not come.
void Agreement::giveUpOn(std::span<const int> ranks, std::int32_t key) {
    std::vector<int> missing;
    std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(missing), [&](int rank) {
        return !mailbox_.arrived().takeIf([&](const Letter& letter) { return isWanted(letter, rank, key); }).has_value();
    });
    std::string what = fmt::format("rank {} at the end of a guarded region: the ranks can never meet again", fmt::join(missing, ", "));
    const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(mailbox_.transport().now() - begin_);
    giveUp(TimeoutError({std::move(missing), std::move(what)}, waited));
}

/// Gives up the end of the region: the ranks will never meet. Tells all other ranks, and throws.
template <class E>
void Agreement::giveUp(E error) {
    if (thrown_) error.setCause(thrown_);
    const auto reason = std::make_exception_ptr(error);
    const ExceptionMessage message = insist([&reason] { return ExceptionMessage(reason); });
    for (int rank = 0; rank < mailbox_.transport().size(); ++rank) {
        if (rank == mailbox_.transport().rank() || mailbox_.departures().hasLeft(rank)) continue;
        const Envelope notice{MessageKind::GivenUp, 0, region_};
        insist([&] { mailbox_.post(rank, Channel::Control, notice, [&](IntWriter& out) { out << message; }); });
    }
    mailbox_.due().stop(reason);
    std::rethrow_exception(reason);
}

IntBuffer Agreement::pack(std::int32_t key, const RegionReport& report) {
    IntBuffer body;
    IntWriter bodyOut(body);
    bodyOut << report;
    bodyOut.finish();
    return mailbox_.pack(Envelope{MessageKind::Agreement, key, region_}, [&body](IntWriter& out) {
        out.writeInts(body.ints());
        out.writeInt(agreementCheck(body.ints()));
    });
}

RegionReport Agreement::read(const Letter& letter, std::int32_t key) {
    require(letter.envelope.key == key, key == reportKey ? "a report" : "a verdict", letter.envelope.key);
    require(letter.envelope.number == region_ && letter.envelope.region == region_, "a letter of it", letter.envelope.number);
    const std::span<const std::int32_t> body = letter.body();
    require(!body.empty(), "a report", 0);
    const std::span<const std::int32_t> ints = body.first(body.size() - 1);
    require(agreementCheck(ints) == body.back(), "the check of what it says", body.back());
    RegionReport report;
    IntReader in(ints, mailbox_.factory());
    in >> report;
    in.expectEnd();
    require(!comesBefore(report.last, region_) && isNear(report.last, mailbox_.regions().last()), "a last region that is near",
            report.last);
    for (const FailureRecord& record : report.failures)
        require(hasValidRanks(record) && record.ranks.back() < mailbox_.nest().jobSize(), "ascending ranks of a failure", record.rank);
    return report;
}

}    // namespace ferry::detail
