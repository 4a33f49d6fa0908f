#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ferry/connector/exception/Awaited.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>

namespace ferry::detail {

/// The members of a group of survivors, as ranks of the outermost mailbox, in the order of the group.
struct SurvivorGroup {
    std::int32_t id = 0;
    std::vector<int> members{};
    FERRY_FIELDS_DECLARED(id, members)
};

/// The body of each letter of the agreement.
struct SurvivorPart {
    std::vector<std::int32_t> groups{};
    std::int32_t ballot = 0;
    std::int32_t nextGroup = 0;    ///< of an answer
    bool isDecided = false;
    SurvivorGroup decision{};                                    ///< of a decision, and of an answer that knows one
    std::vector<std::pair<std::int32_t, std::string>> lost{};    ///< lost ranks and reasons that the sender knows
    FERRY_FIELDS_DECLARED(groups, ballot, nextGroup, isDecided, decision, lost)
};

/// Lets the ranks of a connector that are left agree on who they are, though ranks may be lost meanwhile.
///
/// The lowest rank that is left leads. The leader asks all others, and each answers when it has come to the agreement itself. When all have
/// answered, the leader decides, and tells them. When the leader is lost, the next rank leads. It asks anew, with its place in the
/// connector as the higher ballot. A rank answers with the decision, if it knows one, and takes none of a lower ballot any more. So all
/// ranks that are left have the same decision (Paxos, with a leader that all ranks know). A rank that is asked and works elsewhere is
/// summoned: its calls throw LostRank until it comes.
///
/// All letters go on the control channel of the outermost mailbox, so that a rank answers in whatever call it is.
/// Ownership: borrows the outermost mailbox. The agreements of all its groups use one object. Threads: the one thread of its rank.
/// Errors: SerializationError for damaged letters.
class Survivors {
public:
    explicit Survivors(Mailbox& outermost);
    Survivors(const Survivors&) = delete;
    Survivors& operator=(const Survivors&) = delete;

    Mailbox& outermost() noexcept { return outermost_; }

    /// Agrees with the other ranks of the mailbox. count: the number of earlier agreements of this mailbox. Throws due exceptions,
    /// TimeoutError at a deadline. Another call with the same count then goes on with the same agreement.
    SurvivorGroup agree(Mailbox& mailbox, std::int32_t count);

private:
    /// Identifies an agreement: the groups around, innermost first, and the number of agreements before.
    struct Place {
        std::vector<std::int32_t> groups;
        std::int32_t count = 0;
        auto operator<=>(const Place&) const = default;
    };
    struct Meeting {
        bool isHere = false;                      ///< this rank has come to the agreement
        std::int32_t ballot = -1;                 ///< the highest ballot that this rank knows
        int asker = -1;                           ///< the leader of that ballot; -1: not known
        int calledFor = -1;                       ///< the rank that this rank has told that it is here
        std::map<int, SurvivorPart> answers{};    ///< on the leader
        std::optional<SurvivorGroup> decision{};
    };

    void handle(const Letter& letter);
    void noteLosses(const SurvivorPart& part);
    void noteQuestion(const Place& place, int from, const SurvivorPart& part);
    void summon(const Place& place);
    void lead(const Place& place, Meeting& meeting, const std::vector<int>& order);
    void decide(const Place& place, Meeting& meeting, const std::vector<int>& order, std::int32_t ballot);
    void answer(const Place& place, const Meeting& meeting);
    void send(int to, std::int32_t key, const Place& place, SurvivorPart part);
    void requireGroup(const SurvivorGroup& group) const;
    bool isGone(int rank) const noexcept;
    int ownRank() const noexcept { return outermost_.transport().rank(); }
    static Place placeOf(const Mailbox& mailbox, std::int32_t count);
    Mailbox* mailboxAt(const Place& place) const;
    Awaited describe(const Meeting& meeting, const std::vector<int>& order) const;

    Mailbox& outermost_;
    std::map<Place, Meeting> meetings_;
};

}    // namespace ferry::detail
