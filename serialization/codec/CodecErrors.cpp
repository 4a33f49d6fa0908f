#include <fmt/format.h>

#include <ferry/serialization/codec/CodecAssociative.hpp>
#include <ferry/serialization/codec/CodecOwned.hpp>
#include <ferry/serialization/codec/CodecPointedArray.hpp>
#include <ferry/serialization/codec/CodecRawPointer.hpp>
#include <ferry/serialization/codec/CodecViewArray.hpp>
#include <ferry/serialization/codec/CodecViewPointer.hpp>
#include <ferry/serialization/ints/CodecTraits.hpp>
#include <ferry/serialization/ints/TypeName.hpp>
#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

void failFlag(const IntReader& in, std::int32_t found) { in.fail("0 or 1", fmt::format("{}", found)); }

void failWrongSize(const IntReader& in, std::size_t expected, std::size_t found) {
    in.fail(fmt::format("a count of {}", expected), fmt::format("{}", found));
}

void failRepeatedKeys(const IntReader& in, std::size_t expected, std::size_t found) {
    in.fail(fmt::format("{} different keys", expected), fmt::format("{}", found));
}

void failCrowdedBuckets(const IntReader& in) {
    in.fail("keys that spread over their hash table",
            "too many keys in the same buckets, so that reading would take too long: use a std::map, or another hash");
}

void failStrayBits(const IntReader& in) { in.fail("zeros behind the last bit", "ones"); }

void failAlternative(const IntReader& in, std::size_t alternatives, std::int32_t found) {
    in.fail(fmt::format("the index of one of {} alternatives", alternatives), fmt::format("{}", found));
}

void failShortRun(IntReader& in, const std::size_t* fixedIntsOfValues, std::size_t& index) {
    while (in.remaining() >= fixedIntsOfValues[index]) in.take(fixedIntsOfValues[index++]);
    in.failTooShort(fixedIntsOfValues[index]);
}

void failOutsideGraph(const std::type_info& pointee) {
    failUsage(fmt::format(
        "a raw pointer to {} travels only inside a graph: send the structure with ferry::graph, save it with ferry::saveGraph, or use "
        "std::unique_ptr or std::shared_ptr, or list the pointer as ferry::owned(pointer) if the class deletes its object",
        typeName(pointee)));
}

void failOutsideGraph(const IntReader& in, const std::type_info& pointee) {
    in.fail("a value that travels outside of a graph", fmt::format("a raw pointer to {}", typeName(pointee)));
}

void failKeysInGraph(const std::type_info& key) {
    failUsage(fmt::format(
        "a map or set in a graph has keys of {} whose order, equality or hash would look at objects that have not arrived yet: send the "
        "keys as a vector, or compare addresses alone (std::less, std::hash, or your own with ferry::looksAtAddresses)",
        typeName(key)));
}

void failNoKeyOrder(const std::type_info& container) {
    failUsage(
        fmt::format("keys cannot be read into a {} whose order, hash or equality is null, since functions do not travel: read into a "
                    "container that has a function, or use a class without members",
                    typeName(container)));
}

void failArrayCount() { failUsage("the count of an array behind a pointer is negative, or too large for the memory"); }

void failNullArray() { failUsage("the pointer of an array is null, but the length of the array is not 0: set the length to 0"); }

[[noreturn]] void failSharedCount(const IntReader& in) {
    in.fail("arrays of one length behind pointers that share a count", "another length");
}

void failBitField(const IntReader& in) { in.fail("a number that fits into the bit-field", "a larger number"); }

void failUnlistedClass(const std::type_info& found, const std::type_info& base) {
    failUsage(fmt::format("a pointer to {1} leads to a {0}, which the view does not list: add the class to OneOf", typeName(found),
                          typeName(base)));
}

void failPartInGraph(const std::type_info& pointee) {
    failUsage(fmt::format(
        "a view shows a part of a shared {} inside a graph, where shared objects travel whole: specialise ferry::Codec for the class by a "
        "ferry::ViewCodec",
        typeName(pointee)));
}

}    // namespace ferry::detail
