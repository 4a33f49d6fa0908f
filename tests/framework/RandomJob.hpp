#pragma once

#include <cstddef>
#include <cstdint>

#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/slave/Slave.hpp>

namespace ferry::test {

/// Jobs of random steps. Each step checks what it gets, so that a letter that reaches a wrong call is found at once.
struct RandomJob {
    std::uint64_t seed = 1;
    int steps = 100;
    std::size_t largeCount = 1000;    ///< numbers of the largest messages and results

    /// The handlers of both jobs.
    static void define(Slave& slave);

    /// A handler and the master talk in all ways that a connector has: messages, graphs, large arrays, expected and probed messages,
    /// exceptions of the handler, and exceptions that the master raises in it.
    void talk(Master& master) const;
    /// Results that stay with slaves, tasks that read them, teams that fail and teams that do not, cancelled tasks.
    void mix(Master& master) const;
};

}    // namespace ferry::test
