#include <ferry/connector/collective/started/StartedRoutines.hpp>

#include <utility>
#include <variant>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/LetterFilter.hpp>

namespace ferry::detail {

Routine<std::monostate> startedBarrier(StartedCollective& own) {
    for (int distance = 1; distance < own.size(); distance *= 2) {
        own.sendNothing((own.rank() + distance) % own.size());
        Letter letter = co_await own.from((own.rank() - distance + own.size()) % own.size());
        own.mailbox().giveBack(std::move(letter));
    }
    co_return std::monostate();
}

}    // namespace ferry::detail
