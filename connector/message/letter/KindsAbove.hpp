#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include <ferry/connector/message/letter/Envelope.hpp>

namespace ferry::detail {

/// The kinds of letters that a layer above the connector owns, such as the tasks of a job. The connector carries these letters, and knows
/// nothing of their meaning. The layer registers its kinds before main() begins.
///
/// Threads: any may ask. Kinds are added before main() alone.
class KindsAbove {
public:
    /// The use of a kind. Letters of calls wait for a call of their rank, and belong to no guarded region: a job goes on after the
    /// failure of a region. Letters of handlers come on the control channel, and are kept for their handler (MailboxHooks::onControl).
    enum class Use { Calls, Handler };
    struct Kind {
        MessageKind kind;
        const char* name;    ///< for errors
        Use use;
    };

    /// Registers the kinds, which must live as long as the process. Returns true.
    static bool add(std::span<const Kind> kinds) noexcept;

    static bool isForCalls(MessageKind kind) noexcept { return isIn(forCalls_, kind); }
    static bool isForHandler(MessageKind kind) noexcept { return isIn(forHandler_, kind); }
    /// The name of a registered kind; null for any other kind.
    static const char* nameOf(MessageKind kind) noexcept;

private:
    static constexpr int kindLimit = 32;    // as in Filter, a kind is a bit

    static bool isIn(const std::atomic<std::uint32_t>& kinds, MessageKind kind) noexcept {
        const auto number = static_cast<std::uint32_t>(kind);
        return number < kindLimit && (kinds.load(std::memory_order_relaxed) >> number & 1U) != 0;
    }

    static constinit std::atomic<std::uint32_t> forCalls_;
    static constinit std::atomic<std::uint32_t> forHandler_;
};

}    // namespace ferry::detail
