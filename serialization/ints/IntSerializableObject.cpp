#include <ferry/serialization/ints/IntSerializableObject.hpp>

#include <fmt/format.h>

#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/TypeName.hpp>
#include <ferry/serialization/ints/fail.hpp>

namespace ferry {

void IntSerializableObject::writeWithClassId(IntWriter& out) const {
    detail::requireOwnClassId(*this);
    out.writeInt(classId());
    out.writeSelf(this, [&] { writeToInts(out); });
}

namespace detail {

void failForeignClassId(const IntSerializableObject& object) {
    failUsage(
        fmt::format("class {} would arrive as its base class {}: add FERRY_CLASS to it", typeName(typeid(object)), object.className()));
}

}    // namespace detail

}    // namespace ferry
