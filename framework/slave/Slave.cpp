#include <ferry/framework/slave/Slave.hpp>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

/// The shared objects of the slave that runs on this thread; null elsewhere.
thread_local detail::SharedStore* sharedOfThisThread = nullptr;

}    // namespace

detail::SharedStore& Slave::currentShared() {
    if (sharedOfThisThread == nullptr) throw UsageError("shared objects can be read only in handlers of a slave");
    return *sharedOfThisThread;
}

void Slave::setCurrentShared(detail::SharedStore* shared) noexcept { sharedOfThisThread = shared; }

}    // namespace ferry
