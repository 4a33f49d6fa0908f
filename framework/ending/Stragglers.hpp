#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <optional>
#include <utility>

#include <ferry/connector/transport/Loss.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

/// Slaves whose team has lost a slave, until they have left the team. A call of MPI that waits for the lost slave may hold a slave for ever.
/// A slave that does not leave in time is given up: the job loses it, and its process ends.
///
/// Time counts only while the master looks for letters. A master that computes does not see that a slave has left.
/// Threads: the master's. Errors: std::bad_alloc, and whatever the function of onOverdue() throws; nothing has changed then.
class Stragglers {
public:
    using Clock = Transport::Clock;

    /// grace: time for a slave to leave its team.
    explicit Stragglers(std::chrono::milliseconds grace) : grace_(grace) {}

    /// Sets the function that lets the job lose a slave. Without it no slave is given up.
    void onOverdue(std::function<void(const Loss&)> giveUp) { giveUp_ = std::move(giveUp); }

    /// Notes that a slave has to leave its team, since another slave of the team is lost.
    void add(int rank, int lostRank);
    /// Notes that a slave has left its team or the job, or is lost.
    void remove(int rank) noexcept;

    bool isEmpty() const noexcept { return slaves_.empty(); }
    /// To be called whenever the master has looked for letters. Gives up the slaves whose time is over.
    void look(Clock::time_point now);

private:
    struct Straggler {
        int rank = 0;
        int lostRank = 0;
        Clock::duration left{};    ///< time that is left
    };

    void giveUp(const Straggler& slave) const;

    const std::chrono::milliseconds grace_;
    std::function<void(const Loss&)> giveUp_;
    std::list<Straggler> slaves_;
    std::optional<Clock::time_point> lastLook_;    ///< empty: there was no slave to wait for
};

}    // namespace ferry::detail
