#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include <ferry/connector/collective/CollectiveHistory.hpp>
#include <ferry/connector/exception/FailureRecord.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>

namespace ferry {

/// The report that goes up the tree of ranks at the end of a guarded region, and comes down again. Frozen: docs/wire-format.md.
struct RegionReport {
    std::int32_t last = 0;            ///< the last number of a region that was given away
    std::int32_t clock = 0;           ///< of a verdict: later than everything that was sent in the region
    bool isWhole = false;             ///< of a report: all ranks below have come to the end of their parts, and
    CollectiveHistory collectives;    ///< what each of them has entered
    std::vector<FailureRecord> failures;
    FERRY_FIELDS(last, clock, isWhole, collectives, failures)
};

/// The last int of a report or verdict: FNV-1a of those before it, whole ints at a time. A number that is wrong and possible would let
/// ranks count regions differently.
std::int32_t agreementCheck(std::span<const std::int32_t> ints) noexcept;

/// The agreement of all ranks at the end of the innermost guarded region: reports go up a tree of the ranks, the verdict comes down.
///
/// Letters of the agreement are hostile as any others. A report that cannot be read, or that says what cannot be, is a failure of the
/// region. Ownership: borrows the mailbox.
class Agreement {
public:
    /// thrown: what the rank has thrown in the region, if anything.
    Agreement(Mailbox& mailbox, std::exception_ptr thrown);

    /// The verdict; none when the job is stopped, when a region around this one has failed, and when a rank is gone.
    /// Errors: TimeoutError when a rank has not come in time, and Deadlock when ranks are at the ends of different regions; then no rank
    /// can use the connector any more. SerializationError for a verdict that cannot be read: whether the region has failed is not known
    /// then. What the transport throws.
    std::optional<RegionReport> reach(RegionReport report);

    /// The rank that was waited for and is gone, if any.
    std::optional<int> goneRank() const noexcept { return goneRank_; }

private:
    /// The report of the first of the children, which are waited for one after the other. False when it comes no more.
    bool addReportOf(std::span<const int> children, RegionReport& report);
    void add(RegionReport& report, int child, RegionReport other) const;
    void addFalseWake(RegionReport& report) const;
    void addUnread(RegionReport& report, const std::exception_ptr& reason, std::int32_t clock) const;
    std::optional<Letter> await(std::span<const int> ranks, std::int32_t key, std::size_t levels);
    Mailbox::Clock::time_point timeFor(std::size_t levels) const;
    bool isWanted(const Letter& letter, int from, std::int32_t key) const noexcept;
    [[noreturn]] void giveUpOn(std::span<const int> ranks, std::int32_t key);
    template <class E>
    [[noreturn]] void giveUp(E error);
    IntBuffer pack(std::int32_t key, const RegionReport& report);
    RegionReport read(const Letter& letter, std::int32_t key);

    Mailbox& mailbox_;
    std::exception_ptr thrown_;
    std::int32_t region_;
    Mailbox::Clock::time_point begin_;
    std::optional<int> goneRank_;
    std::vector<std::exception_ptr> damaged_;    ///< other letters that came meanwhile, and could not be read
};

}    // namespace ferry
