#pragma once

#include <string>
#include <vector>

#include <ferry/connector/transport/Loss.hpp>
#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// A rank waits for something that can never come. The rank that would have to send it has returned from its program, or is lost.
class RankHasLeft : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::RankHasLeft)
    FERRY_FIELDS_DECLARED(rank_)

    RankHasLeft() = default;
    /// rank: the rank that is gone; AnyRank when every other rank is. remarks: what this rank may have overlooked (Awaited).
    explicit RankHasLeft(int rank, const std::vector<std::string>& remarks = {});

    /// loss: of a rank that the job has lost.
    explicit RankHasLeft(const detail::Loss& loss, const std::vector<std::string>& remarks = {});

    /// The rank that is gone; AnyRank (-1) when every other rank is.
    int rank() const noexcept { return rank_; }
    ErrorKind kind() const noexcept override { return ErrorKind::Bug; }

private:
    int rank_ = -1;
};

}    // namespace ferry
