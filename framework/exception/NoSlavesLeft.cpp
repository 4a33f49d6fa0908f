#include <ferry/framework/exception/NoSlavesLeft.hpp>

#include <fmt/format.h>

FERRY_EXCEPTION_DEFINED(ferry::NoSlavesLeft)

namespace ferry {

NoSlavesLeft::NoSlavesLeft(int slaveCount, const std::string& lastLoss)
    : Exception(fmt::format("no slave is left of {} to do the task; of the last one: {}", slaveCount, lastLoss)),
      slaveCount_(slaveCount) {}

}    // namespace ferry
