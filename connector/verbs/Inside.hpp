#pragma once

#include <ferry/connector/verbs/Endpoint.hpp>

// The way into a connector for the framework, for simulated ranks and for tests. Programs of users do without it.
namespace ferry::detail {

class Inside {
public:
    static Mailbox& mailbox(Endpoint& connector) noexcept { return connector.mailbox_; }
    static void admitJoined(Endpoint& connector) { connector.admitJoined(); }
    static void noteJoined(Endpoint& connector) { connector.noteJoined(); }
};

/// The mailbox below the calls of the connector.
inline Mailbox& mailboxOf(Endpoint& connector) noexcept { return Inside::mailbox(connector); }
/// To be called on rank 0 when its transport has more ranks.
inline void admitJoined(Endpoint& connector) { Inside::admitJoined(connector); }
/// To be called on a rank that has joined while the job runs. Its calls with other ranks than 0 are refused.
inline void noteJoined(Endpoint& connector) { Inside::noteJoined(connector); }

}    // namespace ferry::detail
