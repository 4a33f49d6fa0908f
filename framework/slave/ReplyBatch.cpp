#include <ferry/framework/slave/ReplyBatch.hpp>

#include <utility>

#include <ferry/framework/parcel/Parcel.hpp>

namespace ferry::detail {

void ReplyBatch::add(IntBuffer reply) {
    if (!letter_.isEmpty() && letter_.size() + reply.size() > maxInts) send();
    if (letter_.isEmpty()) {
        letter_ = std::move(reply);
        oldest_ = mailbox_.transport().now();
    } else {
        appendParcels(letter_, reply);
        mailbox_.transport().buffers().giveBack(std::move(reply));
    }
    if (letter_.size() > maxInts) send();
}

void ReplyBatch::begin(int receiver) {
    letter_ = IntBuffer();
    receiver_ = receiver;
}

void ReplyBatch::sendIfDue(Transport::Clock::time_point now, std::chrono::nanoseconds longestWait) {
    if (!letter_.isEmpty() && now - oldest_ >= longestWait) send();
}

void ReplyBatch::sendNow() {
    if (!letter_.isEmpty()) mailbox_.postNow(receiver_, std::exchange(letter_, IntBuffer()));
}

void ReplyBatch::send() {
    if (letter_.isEmpty()) return;
    // A large letter may need this rank's help to leave. It must not wait for the end of the next task.
    constexpr std::size_t leavesAlone = 512;
    const bool isSmall = letter_.size() <= leavesAlone;
    mailbox_.postInts(receiver_, Channel::Data, std::exchange(letter_, IntBuffer()));
    if (!isSmall) mailbox_.flush();
}

}    // namespace ferry::detail
