#include <ferry/framework/master/Call.hpp>

#include <fmt/format.h>

#include <ferry/connector/exception/Cancelled.hpp>

namespace ferry::detail {

Awaited Call::awaited() const {
    if (slaveRank == 0) return {{}, fmt::format("the reply to task {}, which no slave has yet", number)};
    return {{slaveRank}, fmt::format("the reply to task {} from rank {}", number, slaveRank)};
}

Awaited Call::task() const {
    if (place == Place::AtSlave) return {{slaveRank}, fmt::format("task {}, which rank {} has", number, slaveRank)};
    return {{}, fmt::format("task {}, which no slave has begun", number)};
}

bool isCancellation(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Cancelled&) {
        return true;
    } catch (...) {
        return false;
    }
}

}    // namespace ferry::detail
