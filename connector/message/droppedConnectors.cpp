#include <ferry/connector/message/droppedConnectors.hpp>

#include <exception>

#include <fmt/format.h>

#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/GroupTransport.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/state/DroppedGroups.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/message/state/OneThread.hpp>
#include <ferry/connector/message/state/Regions.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

std::exception_ptr errorOf(const DroppedGroups::Dropped& dropped) noexcept {
    try {
        return std::make_exception_ptr(UsageError(
            fmt::format("{} has destroyed this connector of a group while {} used it or the connector from which it was split off",
                        threadInWords(dropped.thread, dropped.rank), threadInWords(numberOfThisThread(), rankOfThisThread()))));
    } catch (...) {    // no memory for the text: the failure counts more than its words
        return std::current_exception();
    }
}

/// Destroys the connectors one by one, since the end of one may destroy others.
template <class IsOver>
void destroyEach(DroppedGroups& dropped, const IsOver& isOver) {
    while (const DroppedGroups::Dropped* const one = dropped.takeIf(isOver)) one->destroy(one->connector);
}

}    // namespace

bool keepDropped(Mailbox& mailbox, void* connector, void (*destroy)(void*) noexcept) noexcept {
    GroupTransport* const group = mailbox.nest().group();
    if (group == nullptr) return false;
    const auto thread = mailbox.thread().shared_from_this();    // the connector may end as soon as it is in the list
    DroppedGroups::Dropped& dropped = group->dropped();
    dropped.mailbox = &mailbox;
    dropped.connector = connector;
    dropped.destroy = destroy;
    dropped.thread = numberOfThisThread();
    dropped.rank = rankOfThisThread();
    return thread->dropped().add(dropped);
}

bool isDropped(Mailbox& mailbox) noexcept {
    GroupTransport* const group = mailbox.nest().group();
    return group != nullptr && group->dropped().isTold && mailbox.regions().innermost() == 0;
}

void tellDropped(Mailbox& outermost) noexcept {
    DroppedGroups& all = outermost.thread().dropped();
    if (!all.hasNews()) [[likely]]
        return;
    while (const DroppedGroups::Dropped* const dropped = all.nextUntold()) {
        DueFailures& due = dropped->mailbox->due();
        due.forget([](const DueFailures::Due&) { return true; });
        const std::exception_ptr reason = errorOf(*dropped);
        const bool isInRegion = dropped->mailbox->regions().innermost() != 0;    // all ranks meet at its end
        if (isInRegion) insist([&] { due.throwSoon(reason); });
        if (!isInRegion) due.stop(reason, {});
    }
}

void destroyDropped(Mailbox& around) {
    if (!around.thread().isFree()) return;
    const OneThread::Call call(around.thread());
    destroyEach(around.thread().dropped(), [&around](const DroppedGroups::Dropped& dropped) {
        return dropped.mailbox->nest().around() == &around && isDropped(*dropped.mailbox);
    });
}

void destroyAllDropped(Mailbox& around) noexcept {
    destroyEach(around.thread().dropped(),
                [&around](const DroppedGroups::Dropped& dropped) { return dropped.mailbox->nest().around() == &around; });
}

void endDropping(Mailbox& outermost) noexcept {
    outermost.thread().dropped().end();
    destroyEach(outermost.thread().dropped(), [](const DroppedGroups::Dropped&) { return true; });
}

}    // namespace ferry::detail
