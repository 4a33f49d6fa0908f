#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include <ferry/connector/collective/course/CollectiveHistory.hpp>
#include <ferry/connector/exception/FailureRecord.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>

namespace ferry::detail {

/// The report that goes up the tree of ranks at the end of a guarded region, and the verdict that comes down. Frozen: docs/wire-format.md.
struct RegionReport {
    std::int32_t last = 0;            ///< the number of the last region that was entered
    std::int32_t clock = 0;           ///< of a verdict: a logical time after all letters of the region
    bool isWhole = false;             ///< of a report: the sender and all ranks below it have come to the end without a failure
    CollectiveHistory collectives;    ///< the collectives that each of these ranks has entered in the region
    std::vector<FailureRecord> failures;
    FERRY_FIELDS_DECLARED(last, clock, isWhole, collectives, failures)
};

/// The last int of a report or verdict: FNV-1a of the ints before it, one int at a time. Without this check, a wrong but possible number
/// could let ranks count regions differently.
std::int32_t agreementCheck(std::span<const std::int32_t> ints) noexcept;

/// The agreement of all ranks at the end of the innermost guarded region. Reports go up a tree of the ranks, the verdict comes down.
///
/// Letters of the agreement may be damaged or hostile, like all others. A report that cannot be read, or that is impossible, is a failure
/// of the region. Ownership: borrows the mailbox.
class Agreement {
public:
    /// thrown: the exception that this rank has thrown in the region, if any.
    Agreement(Mailbox& mailbox, std::exception_ptr thrown);

    /// Reaches the verdict. None when the job is stopped, when a region around this one has failed, and when a rank has left or is lost.
    /// Errors: TimeoutError when a rank has not come in time. Deadlock when ranks are at the ends of different regions. After both, no rank
    /// can use the connector any more. SerializationError for a verdict that cannot be read: then this rank does not know whether the
    /// region has failed. Exceptions of the transport.
    std::optional<RegionReport> reach(RegionReport report);

    /// The rank that this rank waited for and that has left, if any.
    std::optional<int> goneRank() const noexcept { return goneRank_; }

private:
    /// Adds the report of the first of the children. The children are waited for one after the other. False when the report will never
    /// come.
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
    std::vector<std::exception_ptr> damaged_;    ///< errors of other letters that came meanwhile and could not be read
};

}    // namespace ferry::detail
