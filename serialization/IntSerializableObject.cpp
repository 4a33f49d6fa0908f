#include <ferry/serialization/IntSerializableObject.hpp>

#include <fmt/format.h>

#include <ferry/serialization/TypeName.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

void failForeignClassId(const IntSerializableObject& object) {
    FERRY_THROW(UsageError(
        fmt::format("class {} would arrive as its base class {}: add FERRY_CLASS to it", typeName(typeid(object)), object.className())));
}

}    // namespace ferry::detail
