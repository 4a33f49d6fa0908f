#include <ferry/framework/slave/Slave.hpp>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

/// The shared objects of the slave that runs on this thread; null elsewhere.
thread_local SharedStore* sharedOfThisThread = nullptr;

}    // namespace

SharedStore& Slave::currentShared() {
    if (sharedOfThisThread == nullptr) throw UsageError("shared objects can be read only in handlers of a slave");
    return *sharedOfThisThread;
}

void Slave::setCurrentShared(SharedStore* shared) noexcept { sharedOfThisThread = shared; }

}    // namespace ferry
