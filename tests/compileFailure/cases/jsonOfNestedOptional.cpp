// EXPECT ferry: JSON cannot tell an empty pointer or optional (see T) from one that holds an empty one
#include <optional>
#include <string>

#include <ferry/serialization/text/Json.hpp>

namespace fail {

std::string call(const std::optional<std::optional<int>>& number) { return ferry::toJson(number); }

}    // namespace fail
