#include <fmt/format.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/TypeName.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

void failFlag(const IntReader& in, std::int32_t found) { in.fail("0 or 1", fmt::format("{}", found)); }

void failWrongSize(const IntReader& in, std::size_t expected, std::size_t found) {
    in.fail(fmt::format("a count of {}", expected), fmt::format("{}", found));
}

void failRepeatedKeys(const IntReader& in, std::size_t expected, std::size_t found) {
    in.fail(fmt::format("{} different keys", expected), fmt::format("{}", found));
}

void failStrayBits(const IntReader& in) { in.fail("zeros behind the last bit", "ones"); }

void failAlternative(const IntReader& in, std::size_t alternatives, std::int32_t found) {
    in.fail(fmt::format("the index of one of {} alternatives", alternatives), fmt::format("{}", found));
}

void failShortRun(IntReader& in, const std::size_t* fixedIntsOfValues, std::size_t& index) {
    while (in.remaining() >= fixedIntsOfValues[index]) in.take(fixedIntsOfValues[index++]);
    in.failTooShort(fixedIntsOfValues[index]);
}

void failUnwritableFields(const std::type_info& type, const char* fieldNames) {
    FERRY_THROW(
        UsageError(fmt::format("class {} cannot travel in a message, because one of its fields ({}) cannot: send it with ferry::graph",
                               typeName(type), fieldNames)));
}

}    // namespace ferry::detail
