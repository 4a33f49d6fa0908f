#pragma once

#include <optional>
#include <vector>

#include <ferry/connector/message/Mailbox.hpp>

namespace ferry::detail {

/// The farewell of a rank that has left a job in which every rank has a part: no more letters come from it, so that no rank waits for them.
/// Few ranks tell each other at once. Many ranks do so a second later, if the job is not over by then. The master then says along a tree
/// which ranks are still there, and each rank tells only those. Without that word a rank tells the master, and a second later all ranks.
///
/// Threads: the thread of its rank. Ownership: the mailbox must outlive the object.
class Farewell {
public:
    using Clock = Mailbox::Clock;

    explicit Farewell(Mailbox& mailbox) noexcept : mailbox_(mailbox) {}

    /// Notes that the rank has left. isLater: whether its farewell comes a second later.
    void begin(bool isLater);
    /// The time of the next step; max(): there is none.
    Clock::time_point at() const noexcept { return at_; }
    bool isDue() const { return at_ <= mailbox_.transport().now(); }

    /// On a slave: says farewell, to the ranks that need it as far as this rank knows.
    void sayToStayers();
    /// Says farewell to these ranks alone, or to all others.
    void sayTo(const std::vector<int>& ranks);
    void sayToAll();
    /// On a slave: notes which ranks are still there. Those get their farewell now, when its time has come.
    void noteStayers(std::vector<int> stayers);

private:
    Mailbox& mailbox_;
    Clock::time_point at_ = Clock::time_point::max();
    bool isLater_ = false;
    bool knowsMaster_ = false;                     ///< the master has this rank's farewell
    std::optional<std::vector<int>> stayers_{};    ///< ranks that are still there, as the master says
};

}    // namespace ferry::detail
