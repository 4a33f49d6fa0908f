#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include <ferry/connector/message/Envelope.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry {

class Mailbox;

/// One rank's end of a group: some ranks of another mailbox, counted anew. Its packets are the bodies of letters (kind Group) of that
/// mailbox, the one around it, which takes them in whatever it waits for, drops those of its regions that have failed, and gives the others
/// here.
///
/// Ownership: borrows the mailbox around it; when that is gone first, nothing is sent and nothing arrives any more.
class GroupTransport final : public Transport {
public:
    /// members: ranks of the mailbox around, this one among them. id: the group's among all groups of these ranks, never used again.
    GroupTransport(Mailbox& around, std::int32_t id, std::vector<int> members);

    int rank() const noexcept override { return rank_; }
    int size() const noexcept override { return static_cast<int>(members_.size()); }
    void startSend(int to, Channel channel, IntBuffer ints) override;
    std::optional<Packet> poll() override;
    std::size_t pendingSends() const noexcept override;
    std::size_t undelivered(int to) const noexcept override;
    void idle(std::chrono::microseconds atMost) override;
    Clock::time_point now() const noexcept override;
    bool hasVirtualTime() const noexcept override;
    void wake() noexcept override;
    void finishTogether() noexcept override {}
    [[noreturn]] void abort(int exitStatus) override;

    std::int32_t id() const noexcept { return id_; }
    /// Null when it is gone.
    Mailbox* around() const noexcept { return around_; }
    void forgetAround() noexcept { around_ = nullptr; }
    /// The number of one of the ranks in the mailbox around.
    int rankAround(int rank) const noexcept { return members_[static_cast<std::size_t>(rank)]; }

    /// A letter of this group. Errors: SerializationError when its sender is no member.
    void give(Channel channel, const Letter& letter);
    /// The oldest packet of the control channel.
    std::optional<Packet> takeControl();
    /// Whether a packet of the rank is here that nobody has taken.
    bool holdsFrom(int rank) const noexcept;
    /// Drops what was sent in regions around that have failed.
    void dropFailed();

private:
    std::optional<Packet> takeOldest(std::deque<Packet>& packets);

    Mailbox* around_;
    std::int32_t id_;
    std::vector<int> members_;
    int rank_ = -1;
    std::deque<Packet> data_;
    std::deque<Packet> control_;
};

}    // namespace ferry
