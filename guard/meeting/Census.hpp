#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <mpi.h>

#include <ferry/guard/meeting/SideMessages.hpp>

namespace ferry::pmpi {

/// Asks the ranks of a region in which waits they are. Ranks that wait in a call of MPI answer; a rank that computes does not.
///
/// A second round shows whether any rank has moved between the rounds. It also collects the messages that are under way.
class Census {
public:
    /// The wait of a rank.
    struct Wait {
        std::uint64_t serial = 0;    ///< another one for each wait of the rank
        std::int64_t millis = 0;     ///< the rank has waited for so long
        bool canOnlyWait = false;    ///< only another rank of the region can end the wait
        bool areTests = false;       ///< the rank repeats tests that find nothing, and may go on by itself
        bool operator==(const Wait&) const = default;
    };
    /// A send or receive that is not over.
    struct OpenMessage {
        bool isSend = false;
        int rank = -1;                    ///< of this send or receive
        int peer = -1;                    ///< -1: any rank
        std::int32_t communicator = 0;    ///< id
        std::int32_t tag = -1;            ///< -1: any tag
    };

    /// communicator: the meeting place's duplicate.
    Census(MPI_Comm communicator, int rank, int size);
    void beginRegion(std::int32_t region);

    /// Whether a question of another rank waits for an answer. Takes in the side messages that have arrived.
    bool isAsked();
    /// Whether such a question asks for messages: it is of the second round.
    bool isAskedForMessages() const noexcept;
    /// Answers the questions. messages: the open messages of this rank, which are sent if they are asked for.
    void answer(const Wait& own, const std::vector<OpenMessage>& messages);

    /// Begins a round: asks all other ranks.
    void ask(bool wantsMessages);
    /// Whether all other ranks have answered in this round.
    bool isComplete() const noexcept { return answeredCount_ + 1 == static_cast<int>(waits_.size()); }
    /// The answers in this round, by rank. Empty: no answer, or this rank itself.
    const std::vector<std::optional<Wait>>& waits() const noexcept { return waits_; }
    const std::vector<OpenMessage>& messages() const noexcept { return messages_; }

    /// Receives all side messages that are still under way. Collective.
    void end() { sideMessages_.end(); }

private:
    enum Kind : std::int64_t { Question, QuestionForMessages, Answer, Message };
    struct Asked {
        int by = -1;
        std::int64_t round = 0;
        bool wantsMessages = false;
    };

    void take(const SideMessages::SideMessage& sideMessage);

    SideMessages sideMessages_;
    int rank_;
    std::int64_t round_ = 0;
    int answeredCount_ = 0;
    std::vector<std::optional<Wait>> waits_;
    std::vector<OpenMessage> messages_;
    std::vector<Asked> asked_;
};

}    // namespace ferry::pmpi
