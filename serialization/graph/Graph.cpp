#include <ferry/serialization/graph/Graph.hpp>

#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

void failTakeRoot(const char* wanted, const ReceivedObjects* objects) {
    const char* reason = objects == nullptr                                      ? "the graph does not own its objects"
                         : objects->memory() == GraphMemory::Arena               ? "the graph's objects lie in an arena"
                         : objects->ownerOf(1) == ReceivedObjects::Owner::Unique ? "a unique_ptr owns the root"
                                                                                 : "shared_ptrs own the root";
    FERRY_THROW(UsageError(fmt::format("the root of a graph cannot be taken as {}: {}", wanted, reason)));
}

}    // namespace ferry::detail
