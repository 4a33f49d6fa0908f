#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include <ferry/framework/parcel/Parcel.hpp>

namespace ferry::detail {

struct Call;

/// Tasks of a map that go to a sub-master in one piece. For the schedule they are one call. Each task has its own number and its own reply.
///
/// A task that comes back without a reply becomes a call of its own. So cancels, losses and further tries know calls only.
/// Ownership: shared by the map and by the call. Threads: the master's.
struct Bundle {
    enum class State : std::int32_t {
        Open,     ///< waits, or is with the sub-master
        Alone,    ///< has become a call of its own
        Over,     ///< has a reply or a failure
    };
    struct Slot {
        State state = State::Open;
        bool isSeen = false;                       ///< the failure was reported already
        int answeringRank = 0;                     ///< rank that sent the reply; 0: none did
        std::shared_ptr<const Letter> letter{};    ///< holds the reply
        Parcel reply{};                            ///< set when the task succeeded
        std::exception_ptr failure{};              ///< set when the task failed
        std::weak_ptr<Call> alone{};               ///< the call of a task that is Alone
    };

    bool isOver(std::size_t place) const noexcept { return slots[place].state == State::Over; }

    std::vector<Slot> slots{};                          ///< by place: the task with the number `number + 1 + place`
    std::vector<std::size_t> starts{};                  ///< by place: the first int of the task in the letter of the call
    std::shared_ptr<Call> call{};                       ///< set until the bundle is submitted
    std::int32_t number = 0;                            ///< of the call
    std::size_t heldCount = 0;                          ///< number of tasks that are Open
    int slavesAtMost = 0;                               ///< TaskOptions::slavesAtMost of each task
    bool isDropped = false;                             ///< nobody asks for further replies
    std::function<void(std::size_t place)> onOver{};    ///< is told each task that is over, and must not throw; empty: nobody is told
};

}    // namespace ferry::detail
