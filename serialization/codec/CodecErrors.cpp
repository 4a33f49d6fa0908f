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
            "so many in the same buckets that reading would take time without proportion: use a std::map, or another hash");
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
        "a map or set of a graph has keys of {} with an order, equality or hash of its own, which would look at objects that have not "
        "arrived yet: send the keys as a vector, or use one that looks at addresses alone (std::less, std::hash, or your own with "
        "ferry::looksAtAddresses)",
        typeName(key)));
}

void failNoKeyOrder(const std::type_info& container) {
    failUsage(
        fmt::format("keys were to be read into a {} whose order, hash or equality is null, since functions do not travel: read into a "
                    "container that has one, or make it a class without members",
                    typeName(container)));
}

void failArrayCount() { failUsage("an array behind a pointer has a negative count, or one that no memory can hold"); }

void failNullArray() { failUsage("an array behind a pointer is null, and its length is not 0"); }

void failSharedCount(const IntReader& in) { in.fail("arrays of one length behind pointers that share a count", "another length"); }

void failBitField(const IntReader& in) { in.fail("a number that the bit-field can hold", "another one"); }

void failUnlistedClass(const std::type_info& found, const std::type_info& base) {
    failUsage(fmt::format("a {} stands behind a pointer to {}, and is not among the classes that the view lists: add it to OneOf",
                          typeName(found), typeName(base)));
}

void failPartInGraph(const std::type_info& pointee) {
    failUsage(fmt::format(
        "a view shows a part of a shared {} inside a graph, where shared objects travel whole: specialise ferry::Codec for the class by a "
        "ferry::ViewCodec",
        typeName(pointee)));
}

}    // namespace ferry::detail
