#pragma once

#include <string>

#include <ferry/connector/transport/Loss.hpp>
#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// A rank is lost, and this call needs it. A program that lets the exception pass ends the job with exitStatus::lostRank.
class LostRank : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::LostRank)
    FERRY_FIELDS_DECLARED(rank_)

    LostRank() = default;
    explicit LostRank(const detail::Loss& loss);
    /// For the loss of several ranks, which the text names.
    explicit LostRank(const std::string& text) : Exception(text) {}

    ErrorKind kind() const noexcept override { return ErrorKind::Transport; }
    /// The lost rank; -1: the text names the ranks.
    int rank() const noexcept { return rank_; }

private:
    int rank_ = -1;
};

}    // namespace ferry
