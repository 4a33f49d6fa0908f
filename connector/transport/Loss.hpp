#pragma once

#include <optional>
#include <string>

namespace ferry::detail {

/// A rank that the job has lost: it died, or does not answer any more.
struct Loss {
    int rank = -1;
    std::string reason{};               ///< in words, such as "was killed or has crashed"
    std::optional<int> exitStatus{};    ///< set where a thread that is no rank's has called exit(): the job ends with this status

    /// A sentence that names the rank.
    std::string text() const { return "rank " + std::to_string(rank) + " " + reason; }
};

}    // namespace ferry::detail
