#include <ferry/framework/exception/NoSlavesLeft.hpp>

#include <fmt/format.h>

FERRY_EXCEPTION_DEFINED(ferry::NoSlavesLeft)
FERRY_FIELDS_DEFINED(ferry::NoSlavesLeft)

namespace ferry {

NoSlavesLeft::NoSlavesLeft(int slaveCount, const std::string& lastLoss)
    : Exception(fmt::format("no slave is left to do the task (number of slaves: {}); the last loss: {}", slaveCount, lastLoss)),
      slaveCount_(slaveCount) {}

}    // namespace ferry
