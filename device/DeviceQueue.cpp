#include <ferry/device/DeviceQueue.hpp>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

void requireOneDevice(bool isOne) {
    if (!isOne)
        throw UsageError("a queue was given an event or a program of another device: wait on the host for an event of another device");
}

}    // namespace ferry::detail
