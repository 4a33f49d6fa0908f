#include <ferry/connector/Agreement.hpp>

#include <utility>

#include <fmt/format.h>

#include <ferry/connector/collective/Tree.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/serialization/IntReader.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry {

namespace {

// Keys of the letters, frozen: docs/wire-format.md.
constexpr std::int32_t reportKey = 1;
constexpr std::int32_t verdictKey = 2;

// One rank is ahead of another by the regions inside one region and the next one, so by far fewer than this.
constexpr std::uint32_t farAhead = 1024;
// Some reports that could not be read may be behind a number.
constexpr std::uint32_t impossiblyFar = 4 * farAhead;

std::int32_t moved(std::int32_t number, std::uint32_t by) noexcept {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(number) + by);
}

bool isNear(std::int32_t number, std::int32_t other) noexcept {
    return !comesBefore(moved(other, impossiblyFar), number) && !comesBefore(moved(number, impossiblyFar), other);
}

/// Whether a letter of the agreement says what none can say.
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

std::optional<RegionReport> Agreement::reach(RegionReport report) {
    const Transport& transport = mailbox_.transport();
    const TreePlace place = placeInTree(transport.rank(), transport.size(), 0);
    for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) {
        if (!addReportOf(*child, report)) return std::nullopt;
    }
    if (place.parent == -1) {
        if (!report.isWhole && report.failures.empty()) addFalseWake(report);
        report.clock = mailbox_.regions().clock();
        for (const int child : place.children) mailbox_.postNow(child, pack(verdictKey, report));
        return report;
    }
    mailbox_.postNow(place.parent, pack(reportKey, report));
    const std::int32_t reportedAt = mailbox_.regions().clock();
    std::optional<Letter> letter = await(place.parent, verdictKey);
    if (!letter) return std::nullopt;
    for (const int child : place.children) mailbox_.postNow(child, letter->ints);
    for (std::exception_ptr& damaged : damaged_) mailbox_.throwSoon(std::move(damaged));
    RegionReport verdict = read(std::move(*letter), verdictKey);
    require(!comesBefore(verdict.last, report.last), "a last region that is not before this rank's", verdict.last);
    const bool isTimely = comesBefore(reportedAt, verdict.clock) && comesBefore(verdict.clock, mailbox_.regions().clock());
    require(isTimely, "a time between the report and the verdict", verdict.clock);
    return verdict;
}

bool Agreement::addReportOf(int child, RegionReport& report) {
    std::optional<Letter> letter = await(child, reportKey);
    const int rank = mailbox_.transport().rank();
    const std::int32_t clock = mailbox_.regions().clock();
    for (const std::exception_ptr& damaged : std::exchange(damaged_, {})) mergeRecords(report.failures, recordsOf(damaged, rank, clock));
    if (!letter) return false;
    try {
        add(report, child, read(std::move(*letter), reportKey));
    } catch (const SerializationError&) {
        mergeRecords(report.failures, recordsOf(std::current_exception(), rank, clock));
        report.last = moved(report.last, farAhead);    // whatever the ranks below have given away
    }
    return true;
}

/// A rank was woken, but none has failed: it cannot go on as if it had done its part.
void Agreement::addFalseWake(RegionReport& report) const {
    const SerializationError falseWake("a rank was told of a failure in a guarded region in which no rank has failed");
    report.failures = recordsOf(std::make_exception_ptr(falseWake), mailbox_.transport().rank(), mailbox_.regions().clock());
}

/// Ranks that have come to the end without a failure must have entered the same collectives. Others are where they were woken.
void Agreement::add(RegionReport& report, int child, RegionReport other) const {
    const int rank = mailbox_.transport().rank();
    if (report.isWhole && other.isWhole && report.collectives != other.collectives) {
        const CollectiveMismatch mismatch({rank, describeHistory(report.collectives)}, {child, describeHistory(other.collectives)});
        mergeRecords(report.failures, recordsOf(std::make_exception_ptr(mismatch), rank, mailbox_.regions().clock()));
    }
    report.isWhole = report.isWhole && other.isWhole;
    if (comesBefore(report.last, other.last)) report.last = other.last;
    mergeRecords(report.failures, std::move(other.failures));
}

/// The letter of this agreement, or one that only looks like it; none when there is no agreement any more.
std::optional<Letter> Agreement::await(int from, std::int32_t key) {
    const auto isWanted = [this, from, key](const Letter& letter) {
        if (letter.envelope.kind != MessageKind::Agreement || letter.from != from) return false;
        return letter.envelope.number == region_ || isOdd(letter, key);
    };
    std::optional<Letter> letter;
    const auto isOver = [&] {
        letter = mailbox_.takeArrivedIf(isWanted);
        return letter || mailbox_.isStopped() || mailbox_.regions().hasOuterFailed() || mailbox_.hasLeft(from);
    };
    for (bool isWaiting = true; isWaiting;) {
        try {
            isWaiting = !mailbox_.pumpUntil(isOver, Mailbox::Clock::time_point::max());
        } catch (const SerializationError&) {
            damaged_.push_back(std::current_exception());    // another letter, which is gone now
        }
    }
    if (!letter && mailbox_.hasLeft(from)) goneRank_ = from;
    return letter;
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

RegionReport Agreement::read(Letter letter, std::int32_t key) {
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
        require(hasValidRanks(record) && record.ranks.back() < mailbox_.transport().size(), "ascending ranks of a failure", record.rank);
    mailbox_.giveBack(std::move(letter));
    return report;
}

}    // namespace ferry
