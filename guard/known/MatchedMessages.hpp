#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include <mpi.h>

namespace ferry::pmpi {

/// A message that a matched probe has taken: no other receive can get it.
struct MatchedMessage {
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status{};
    MPI_Comm communicator = MPI_COMM_NULL;
};

/// The matched messages of a region that the program has not received yet. There are seldom more than a few.
class MatchedMessages {
public:
    void add(const MatchedMessage& matched) {
        if (matched.message != MPI_MESSAGE_NO_PROC && matched.message != MPI_MESSAGE_NULL) all_.push_back(matched);
    }
    /// Removes a message from the list. Empty: it is not in the list, since it was matched before the region.
    std::optional<MatchedMessage> remove(MPI_Message message) {
        const auto found =
            std::find_if(all_.begin(), all_.end(), [message](const MatchedMessage& matched) { return matched.message == message; });
        if (found == all_.end()) return std::nullopt;
        const MatchedMessage matched = *found;
        all_.erase(found);
        return matched;
    }
    const std::vector<MatchedMessage>& all() const noexcept { return all_; }
    void clear() noexcept { all_.clear(); }

private:
    std::vector<MatchedMessage> all_;
};

}    // namespace ferry::pmpi
