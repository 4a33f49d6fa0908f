#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ferry/connector/exception/Awaited.hpp>
#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// One of the ranks that cannot go on.
struct StuckRank {
    int rank = -1;
    detail::Awaited awaited;    ///< the ranks that it waits for, what for, and what it may have overlooked
    FERRY_FIELDS_DECLARED(rank, awaited)
};

/// No rank can go on: all ranks that have not left wait without a deadline, and nothing is under way. Every call that waits throws it. The
/// connector can be used as before. In a team, it says so of the ranks of the team alone.
class Deadlock : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::Deadlock)
    FERRY_FIELDS_DECLARED(ranks_)

    Deadlock() = default;
    /// ranks: in ascending order. who: the ranks that cannot go on, in words.
    explicit Deadlock(std::vector<StuckRank> ranks, std::string_view who = "no rank");
    /// For a deadlock that is told by a text alone, such as a roll call of plain MPI code.
    explicit Deadlock(const std::string& text) : Exception(text) {}

    /// The waiting ranks, and the ranks that each waits for. Empty in plain MPI code: the text tells them.
    const std::vector<StuckRank>& ranks() const noexcept { return ranks_; }
    ErrorKind kind() const noexcept override { return ErrorKind::Bug; }

private:
    std::vector<StuckRank> ranks_;
};

}    // namespace ferry
