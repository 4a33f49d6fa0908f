#pragma once

#include <exception>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace ferry::detail {

/// The exceptions of other ranks on a slave: those that the master raises in a task, and those of throwOn(). They are thrown in handlers
/// only. Between two tasks they wait for the next handler, and do not end the slave.
///
/// Ownership: the connector must outlive the object.
class HandlerExceptions {
public:
    explicit HandlerExceptions(Connector& connector) : connector_(connector) {}
    HandlerExceptions(const HandlerExceptions&) = delete;
    HandlerExceptions& operator=(const HandlerExceptions&) = delete;
    /// Logs the exceptions that no handler got.
    ~HandlerExceptions();

    /// Holds the exceptions back from now on: no handler runs.
    void hold() noexcept;
    /// Lets the exceptions through from now on: a handler runs.
    void letThrough() noexcept;

    /// Raises the exception in the task that runs now.
    void raise(std::exception_ptr exception);
    /// The first exception that was raised in the task that runs now. Null: there is none.
    std::exception_ptr firstRaised() const noexcept { return raised_.empty() ? nullptr : raised_.front(); }

    /// Ends a task: holds the exceptions back, and forgets those that were raised in the task, thrown or not.
    void endTask();

private:
    Connector& connector_;
    std::vector<std::exception_ptr> raised_;
};

}    // namespace ferry::detail
