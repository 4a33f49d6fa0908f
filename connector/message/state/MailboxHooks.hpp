#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/letter/LetterQueue.hpp>
#include <ferry/connector/message/state/Wait.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

/// The functions that a mailbox calls while it works, for those who use it. One user sets each function. No function may wait.
///
/// Errors: a call of a function throws as the function does.
class MailboxHooks {
public:
    /// The fate of a step of a collective.
    enum class StepFate {
        Kept,       ///< kept for a call that will wait for it
        Dropped,    ///< no call will want it
        Taken,      ///< taken over by the watch, which may have moved the letter away
    };

    MailboxHooks() = default;
    MailboxHooks(const MailboxHooks&) = delete;
    MailboxHooks& operator=(const MailboxHooks&) = delete;

    /// Sets the handler of letters of this kind on the control channel, including those that came before.
    void onControl(MessageKind kind, std::function<void(const Letter&)> handler);
    /// Calls the handler of the letter's kind. False when there is none yet: the letter is then kept for it.
    bool handle(Letter& letter);
    /// The letters of the control channel that wait for their handler, or for their group.
    LetterQueue& unhandled() noexcept { return unhandled_; }

    /// Sets the watch: the function that decides on each arriving step of a collective, and on each notice that a collective was given up.
    /// The watch must not throw.
    void onCollective(std::function<StepFate(Letter&)> watch) { collectiveWatch_ = std::move(watch); }
    StepFate fateOf(Letter& step) const { return collectiveWatch_ ? collectiveWatch_(step) : StepFate::Kept; }

    /// Sets a function that gets each letter of this kind when it arrives. True: the letter is dealt with. False: it is kept for the call
    /// that waits for it. Null: all are kept. The function may send, with Mailbox::postNow().
    void onArrival(MessageKind kind, std::function<bool(const Letter&)> take) {
        kindAtOnce_ = kind;
        takeAtOnce_ = std::move(take);
    }
    bool takesAtOnce(const Letter& letter) const { return letter.envelope.kind == kindAtOnce_ && takeAtOnce_ && takeAtOnce_(letter); }

    /// Sets a check that no message announces, such as for signals. The check is made whenever a wait finds nothing, and now and then
    /// while letters keep coming.
    void onIdle(std::function<void()> check) { idleCheck_ = std::move(check); }
    /// Whether the check must be made now. hasArrived: whether the mailbox has just found a packet.
    bool isCheckDue(bool hasArrived) noexcept { return idleCheck_ && (!hasArrived || ++letterCount_ % lettersPerCheck == 0); }
    void check() const { idleCheck_(); }

    /// Sets a function that is called before a wait rests. The function sends letters that this rank holds back and others may
    /// wait for. Null: nothing is held back.
    void onRest(std::function<void()> send) { sendHeldBack_ = std::move(send); }
    void sendHeldBack() const {
        if (sendHeldBack_) sendHeldBack_();
    }

    /// Sets work that brings letters about, such as a job that goes on while a call waits. The mailbox does it before a wait rests, and at
    /// the time that next() returns at the latest. attend() may send, post and poll. While next() returns a time, no deadlock is
    /// searched for. The work that was added last counts. `owner` identifies the work for removeWork().
    void addWork(const void* owner, ActiveWork work) { works_.push_back({owner, std::move(work)}); }
    void removeWork(const void* owner) noexcept {
        std::erase_if(works_, [owner](const OwnedWork& each) { return each.owner == owner; });
    }
    bool hasWork() const noexcept { return !works_.empty(); }
    /// Whether another owner has work that is not done.
    bool isOtherBusy(const void* owner) const {
        return works_.size() > 1 && std::any_of(works_.begin(), works_.end(), [owner](const OwnedWork& each) {
                   return each.owner != owner && each.work.isBusy && each.work.isBusy();
               });
    }

    /// The numbers that the masters of this mailbox have given last, to calls and to results. A later master goes on after them, so that no
    /// late reply to an earlier one is taken for its own.
    struct Numbers {
        std::uint32_t call = 0;
        std::uint32_t result = 0;
    };
    Numbers& numbers() noexcept { return numbers_; }

    void work() {
        ++workCount_;
        works_.back().work.attend();
    }
    /// A clause that says what the work leaves undone during the present wait; empty: nothing.
    std::string remarkOnWork() const { return !works_.empty() && works_.back().work.remark ? works_.back().work.remark() : std::string(); }
    /// The number of times that the work was done.
    std::uint32_t workCount() const noexcept { return workCount_; }
    Transport::Clock::time_point nextWork() const {
        return !works_.empty() ? works_.back().work.next() : Transport::Clock::time_point::max();
    }

private:
    // Number of letters between two idle checks of a rank that is never idle.
    static constexpr unsigned lettersPerCheck = 64;

    struct OwnedWork {
        const void* owner = nullptr;
        ActiveWork work;
    };

    std::map<MessageKind, std::function<void(const Letter&)>> controlHandlers_;
    LetterQueue unhandled_;
    std::function<StepFate(Letter&)> collectiveWatch_;
    MessageKind kindAtOnce_{0};    // no kind
    std::function<bool(const Letter&)> takeAtOnce_;
    std::function<void()> idleCheck_;
    std::function<void()> sendHeldBack_;
    std::vector<OwnedWork> works_;
    std::uint32_t workCount_ = 0;
    Numbers numbers_;
    unsigned letterCount_ = 0;
};

}    // namespace ferry::detail
