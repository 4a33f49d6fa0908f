#include <ferry/framework/exception/LostResult.hpp>

#include <fmt/format.h>

FERRY_EXCEPTION_DEFINED(ferry::LostResult)
FERRY_FIELDS_DEFINED(ferry::LostResult)

namespace ferry {

LostResult::LostResult(std::int32_t task, const std::string& taskClass, const std::string& reason, const std::exception_ptr& cause)
    : Exception(fmt::format("the result of task {} ({}), which stayed with its slave, is lost and cannot be made again: {}", task,
                            taskClass, reason)),
      task_(task) {
    setCause(cause);
}

}    // namespace ferry
