#include <ferry/device/remote/DeviceLink.hpp>

#include <limits>
#include <mutex>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/mailboxCalls.hpp>
#include <ferry/connector/transport/Backoff.hpp>
#include <ferry/connector/verbs/Inside.hpp>

namespace ferry {

DeviceLink::~DeviceLink() {
    if (kept_.empty()) return;
    // Somebody may still read or write the memory, so that it never ends.
    static std::mutex mutex;
    static std::vector<Kept>& always = *new std::vector<Kept>;
    const std::lock_guard lock(mutex);
    for (Kept& each : kept_) always.push_back(std::move(each));
}

bool DeviceLink::isBusy() {
    std::erase_if(kept_, [](const Kept& each) { return each.transfer->hasEnded(); });
    return !kept_.empty();
}

void DeviceLink::finish(Connector& connector) {
    detail::Backoff waiting;
    while (isBusy()) {
        connector.poll();
        waiting.pause(detail::mailboxOf(connector).transport());
    }
}

void DeviceLink::send(int to, std::int32_t number, const std::byte* bytes, std::size_t count, std::shared_ptr<void> memory) {
    static_cast<void>(isBusy());
    kept_.reserve(kept_.size() + 1);
    kept_.push_back({beginSend(to, number, bytes, count), std::move(memory)});
}

void DeviceLink::receive(Connector& connector, int from, std::int32_t number, std::byte* bytes, std::size_t count,
                         std::shared_ptr<void> memory) {
    static_cast<void>(isBusy());
    kept_.reserve(kept_.size() + 1);
    detail::Mailbox& mailbox = detail::mailboxOf(connector);
    std::unique_ptr<LinkTransfer> transfer = beginReceive(from, number, bytes, count);
    try {
        for (detail::Backoff waiting; !transfer->hasEnded(); waiting.pause(mailbox.transport())) {
            static_cast<void>(isBusy());
            connector.poll();
            detail::throwIfLost(mailbox, from);
        }
    } catch (...) {
        transfer->giveUp();
        kept_.push_back({std::move(transfer), std::move(memory)});
        throw;
    }
}

std::int32_t DeviceLink::nextNumber() noexcept {
    number_ = number_ == std::numeric_limits<std::int32_t>::max() ? 0 : number_ + 1;
    return number_;
}

}    // namespace ferry
