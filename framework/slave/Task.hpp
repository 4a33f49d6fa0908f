#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeindex>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/framework/parcel/ValueMessage.hpp>
#include <ferry/framework/slave/SharedStore.hpp>
#include <ferry/framework/slave/TaskTraits.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace detail {

class SlaveLoop;

/// The object that a slave keeps from its setUp until it leaves.
struct SlaveState {
    std::shared_ptr<void> object;
    std::type_index type = typeid(void);
};

}    // namespace detail

/// The second, optional parameter of a handler: information about the task and access to the slave's objects.
///
/// Valid during the call of the handler.
class Task {
public:
    Task(Connector& connector, detail::SharedStore& shared, detail::SlaveState& state, std::int32_t number, detail::SlaveLoop& loop)
        : connector_(connector),
          shared_(shared),
          state_(state),
          number_(number),
          loop_(loop) {}

    /// The number of the task in its job.
    std::int32_t number() const noexcept { return number_; }

    /// Whether the master has cancelled the task (Future::cancel, or its deadline). A handler that runs for long calls this from time to
    /// time:
    /// the call also gives back tasks that other slaves could begin sooner. Errors: Terminated when the job stops.
    bool cancelled();
    /// Throws Cancelled when the master has cancelled the task.
    void throwIfCancelled();

    /// Hands a further task to the master, for any slave; does not wait. The master gets its reply (Master::onSubmitted). The new task is
    /// done even if this task fails. Among waiting tasks those of higher priority go first.
    void submit(const Message& task, int priority = 0);
    template <class T>
        requires(!std::is_base_of_v<Message, T>)
    void submit(const T& task, int priority = 0) {
        if constexpr (detail::TaskTraits<T>::isSound) submit(static_cast<const Message&>(detail::asMessage(task)), priority);
    }

    /// The connector of the slave. connector().poll() notices that the job stops, but takes in no tasks.
    Connector& connector() noexcept { return connector_; }

    /// The object of this type that the master shared (Master::share). Errors: UsageError when it shared no such object.
    template <class T>
    const T& shared() const {
        return shared_.get<T>(connector_.factory());
    }
    /// The version of the shared object, as Master::share returned it. Errors: like shared().
    template <class T>
    int sharedVersion() const {
        return shared_.version<T>();
    }

    /// The object that setUp returned as std::shared_ptr<T>. Errors: UsageError when setUp returned an object of another type.
    template <class T>
    T& state() const {
        if (state_.type != typeid(T) || !state_.object) throw UsageError("setUp of this slave has made no object of this class");
        return *static_cast<T*>(state_.object.get());
    }

private:
    Connector& connector_;
    detail::SharedStore& shared_;
    detail::SlaveState& state_;
    std::int32_t number_;
    detail::SlaveLoop& loop_;
};

}    // namespace ferry
