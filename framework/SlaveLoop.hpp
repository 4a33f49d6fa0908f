#pragma once

#include <exception>
#include <memory>
#include <variant>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/SharedStore.hpp>
#include <ferry/framework/Slave.hpp>
#include <ferry/framework/Task.hpp>
#include <ferry/serialization/exception/TaskScope.hpp>

namespace ferry {

/// One slave at work: takes tasks from the master, runs their handlers, and answers with replies or exceptions.
class SlaveLoop {
public:
    /// Both must outlive the loop.
    SlaveLoop(const Slave& definition, Connector& connector);
    SlaveLoop(const SlaveLoop&) = delete;
    SlaveLoop& operator=(const SlaveLoop&) = delete;
    ~SlaveLoop();

    /// Works until the job ends. Throws Terminated then, and AssertionFailure when an xassert of a handler failed.
    [[noreturn]] void run();

private:
    /// The packed reply, or what the handler (or the writing of its reply) threw.
    using Outcome = std::variant<IntBuffer, std::exception_ptr>;

    void work(const Letter& letter);
    Outcome runHandler(const Letter& letter);
    std::unique_ptr<Message> callHandler(const Letter& letter, TaskScope& scope);

    const Slave& definition_;
    Connector& connector_;
    SharedStore shared_;
    SlaveState state_;
};

}    // namespace ferry
