#include <ferry/connector/message/state/MailboxHooks.hpp>

namespace ferry::detail {

void MailboxHooks::onControl(MessageKind kind, std::function<void(const Letter&)> handler) {
    controlHandlers_[kind] = std::move(handler);
    const Filter ofKind({kind});
    unhandled_.handOver([&](const Letter& letter) { return ofKind.matches(letter); },
                        [&](Letter&& letter) { controlHandlers_[kind](letter); });
}

bool MailboxHooks::handle(Letter& letter) {
    const auto handler = controlHandlers_.find(letter.envelope.kind);
    if (handler == controlHandlers_.end()) {
        unhandled_.add(std::move(letter));    // the job is still being set up
        return false;
    }
    handler->second(letter);
    return true;
}

}    // namespace ferry::detail
