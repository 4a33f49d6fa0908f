#include <ferry/framework/exception/PoisonTask.hpp>

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

FERRY_EXCEPTION_DEFINED(ferry::PoisonTask)
FERRY_FIELDS_DEFINED(ferry::PoisonTask)

namespace ferry {

PoisonTask::PoisonTask(std::int32_t task, const std::string& taskClass, std::vector<int> ranks, const std::string& limit)
    : Exception(fmt::format("task {} ({}) was given up: the job lost rank {}, which may have been at work on it; {}", task, taskClass,
                            fmt::join(ranks, ", rank "), limit)),
      ranks_(std::move(ranks)) {}

}    // namespace ferry
