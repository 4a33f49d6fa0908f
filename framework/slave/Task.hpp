#pragma once

#include <cstdint>
#include <memory>
#include <typeindex>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/message/Message.hpp>
#include <ferry/framework/slave/SharedStore.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

class SlaveLoop;

/// What a slave keeps from its setUp until it leaves.
struct SlaveState {
    std::shared_ptr<void> object;
    std::type_index type = typeid(void);
};

/// What a handler may know besides its message: the second, optional parameter of a handler.
///
/// Valid during the call of the handler.
class Task {
public:
    Task(Connector& connector, SharedStore& shared, SlaveState& state, std::int32_t number, SlaveLoop& loop)
        : connector_(connector),
          shared_(shared),
          state_(state),
          number_(number),
          loop_(loop) {}

    /// The number of the task in its job.
    std::int32_t number() const noexcept { return number_; }

    /// Whether the master has cancelled the task (Future::cancel, or its deadline). A handler that works for long asks now and then: so
    /// the slave also hears when the job stops, which is thrown from here, and gives back tasks that others could begin sooner.
    bool cancelled();
    /// Throws Cancelled when it has.
    void throwIfCancelled();

    /// Hands a further task to the master, for any slave; does not wait. What comes of it is the master's (Master::onSubmitted). It is done
    /// in any case, also when this task fails; of tasks that wait those of a higher priority first.
    void submit(const Message& task, int priority = 0);

    /// What the slave can do besides; connector().poll() hears when the job stops, and no more.
    Connector& connector() noexcept { return connector_; }

    /// What the master shared (Master::share). Errors: UsageError when it shared nothing of this type.
    template <class T>
    const T& shared() const {
        return shared_.get<T>(connector_.factory());
    }
    /// Which version of it that is: what Master::share returned. Errors: as shared().
    template <class T>
    int sharedVersion() const {
        return shared_.version<T>();
    }

    /// What setUp returned as std::shared_ptr<T>. Errors: UsageError when it returned something else.
    template <class T>
    T& state() const {
        if (state_.type != typeid(T) || !state_.object) throw UsageError("setUp of this slave has made no such object");
        return *static_cast<T*>(state_.object.get());
    }

private:
    Connector& connector_;
    SharedStore& shared_;
    SlaveState& state_;
    std::int32_t number_;
    SlaveLoop& loop_;
};

}    // namespace ferry
