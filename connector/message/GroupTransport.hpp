#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/state/DroppedGroups.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/serialization/ints/durations.hpp>

namespace ferry::detail {

class Mailbox;

/// The transport of a group: some ranks of another mailbox, numbered anew. Its packets are the bodies of letters (kind Group) of that
/// mailbox, the one around it. The mailbox around takes these letters in during all its waits. It drops letters of its failed regions, and
/// gives the others to this transport.
///
/// Ownership: borrows the mailbox around it. After that mailbox has ended, nothing is sent and nothing arrives.
class GroupTransport final : public Transport {
public:
    /// members: ranks in the mailbox around, this rank included. id: the number of the group, unique among all groups of these ranks and
    /// never used again.
    GroupTransport(Mailbox& around, std::int32_t id, std::vector<int> members);

    int rank() const noexcept override { return rank_; }
    int size() const noexcept override { return static_cast<int>(members_.size()); }
    void startSend(int to, Channel channel, IntBuffer ints) override;
    LendingSizes holdsFrom() const noexcept override;
    void startHeld(int to, IntBuffer ints, std::shared_ptr<const void> holder) override;
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
    /// The mailbox around; null after its end.
    Mailbox* around() const noexcept { return around_; }
    void forgetAround() noexcept { around_ = nullptr; }
    /// The number that a rank of the group has in the mailbox around.
    int rankAround(int rank) const noexcept { return members_[static_cast<std::size_t>(rank)]; }

    /// Takes over a letter of this group. Errors: SerializationError when its sender is no member.
    void give(Channel channel, const Letter& letter);
    /// Takes over the letters that came for this group before this rank made it. inner: the mailbox of the group. After a std::bad_alloc a
    /// further call goes on.
    void takeOverLetters(Mailbox& inner);
    /// Takes out the oldest packet of the control channel.
    std::optional<Packet> takeControl();
    /// Whether a data packet of the rank waits here.
    bool holdsFrom(int rank) const noexcept;
    /// The data packets that wait here, the oldest first.
    const std::deque<Packet>& waitingData() const noexcept { return data_; }
    /// The place of the group's connector among those that were dropped.
    DroppedGroups::Dropped& dropped() noexcept { return dropped_; }
    /// Drops the packets that were sent in failed regions of the mailboxes around.
    void dropFailed();

private:
    void noteWait() noexcept override;
    std::optional<Packet> takeOldest(std::deque<Packet>& packets);

    Mailbox* around_;
    std::int32_t id_;
    std::vector<int> members_;
    int rank_ = -1;
    std::deque<Packet> data_;
    std::deque<Packet> control_;
    DroppedGroups::Dropped dropped_;
};

}    // namespace ferry::detail
