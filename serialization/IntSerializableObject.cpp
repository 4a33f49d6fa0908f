#include <ferry/serialization/IntSerializableObject.hpp>

#include <fmt/format.h>

#include <ferry/serialization/IntWriter.hpp>
#include <ferry/serialization/TypeName.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

void IntSerializableObject::writeWithClassId(IntWriter& out) const {
    requireOwnClassId(*this);
    out.writeInt(classId());
    out.writeSelf(this, [&] { writeToInts(out); });
}

namespace detail {

void failForeignClassId(const IntSerializableObject& object) {
    FERRY_THROW(UsageError(
        fmt::format("class {} would arrive as its base class {}: add FERRY_CLASS to it", typeName(typeid(object)), object.className())));
}

}    // namespace detail

}    // namespace ferry
