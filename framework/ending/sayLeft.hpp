#pragma once

#include <cstdint>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/state/insist.hpp>

namespace ferry::detail {

/// Posts a letter 'Left' without a body. The letter goes out sooner or later, also when memory is short.
inline void sayLeft(Mailbox& mailbox, int to, std::int32_t key, std::int32_t number = 0) {
    insist([&] { mailbox.post(to, Channel::Control, Envelope{MessageKind::Left, key, number}, [](IntWriter&) {}); });
}

}    // namespace ferry::detail
