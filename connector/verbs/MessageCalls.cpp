#include <ferry/connector/verbs/MessageCalls.hpp>

#include <utility>

namespace ferry {

std::unique_ptr<Message> MessageCalls::receive(int from, Deadline deadline) {
    return receiveAny({.from = from, .tag = Tag(), .deadline = deadline}).value;
}

std::unique_ptr<Message> MessageCalls::messageOf(Letter letter) {
    std::unique_ptr<Message> message = factory_.createAs<Message>(letter.envelope.key);    // Flow A: class ID -> object
    readBody(letter, *message);
    message->setSender(letter.from);
    mailbox_.giveBack(std::move(letter));
    return message;
}

void MessageCalls::checkSource(int from) const {
    if (from != AnyRank) checkRank(from);
}

}    // namespace ferry
