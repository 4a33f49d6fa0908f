#pragma once

#include <cstddef>
#include <cstdint>
#include <typeinfo>

namespace ferry::detail {

class ImageDiscovery;
class ImagePlan;
class ImageWriter;
class ImageReturn;
class ImagePartReturn;

/// How the objects of one type lie in an image, or the part of them that a View shows.
struct ImageType {
    const std::type_info* type = nullptr;
    std::size_t bytes = 0;
    std::size_t alignment = 1;
    bool isFlat = false;     ///< the bytes of the objects are copied; the four walks are null
    bool isWhole = false;    ///< neither a View nor FERRY_FIELDS_SOME leaves out members

    /// Notes the types of all objects that lie inside of an object. Null for types that are no classes.
    void (*markInside)(ImagePlan& plan) = nullptr;
    void (*addRoot)(ImagePlan& plan, void* host, std::size_t count, bool isMutable) = nullptr;
    void (*discover)(ImageDiscovery& discovery, void* host, std::size_t count) = nullptr;
    void (*write)(ImageWriter& writer, void* host, std::byte* image, std::size_t count) = nullptr;
    void (*giveBack)(ImageReturn& back, void* host, std::byte* image, std::size_t count) = nullptr;
    void (*giveBackPart)(ImagePartReturn& back, void* host, std::byte* image, std::size_t count) = nullptr;
};

/// One object or array of the host and its place in the image.
struct ImageBlock {
    void* host = nullptr;
    std::size_t offset = 0;
    std::size_t count = 0;
    const ImageType* type = nullptr;
    std::uint32_t firstSlot = 0;
    bool isMutable = false;      ///< a kernel may change it, so that its values come back
    bool isAbsorbed = false;     ///< lies inside of another block
    bool isSkipped = false;      ///< the block around it brings its values there and back
    bool isEarly = false;        ///< absorbed, and its pointers are compared before later blocks are read
    bool isDirect = false;       ///< a large array that is sent from where it lies
    bool hasEnd = false;         ///< an array to whose end pointers may lead, so that nothing begins there in the image
    bool isGuess = false;        ///< only raw pointers lead here, perhaps to the end of an array
    bool isPostponed = false;    ///< a guess whose pointers are followed last
    bool isEnd = false;          ///< no object, but the end of an array

    std::size_t bytes() const noexcept { return isEnd ? 0 : count * type->bytes; }
};

/// The properties that tell blocks with one address apart.
struct BlockKey {
    const void* host = nullptr;
    std::size_t count = 0;
    const std::type_info* type = nullptr;

    bool operator==(const BlockKey&) const = default;
};
struct BlockKeyHash {
    std::size_t operator()(const BlockKey& key) const noexcept {
        constexpr std::size_t Factor = 0x9e3779b97f4a7c15;    // spreads neighbours over all bits
        return (reinterpret_cast<std::uintptr_t>(key.host) * Factor + key.count) * Factor + reinterpret_cast<std::uintptr_t>(key.type);
    }
};

/// The kind of pointer that leads to a block.
enum class LeadBy {
    One,      ///< the copy itself, or an owner of one object
    Array,    ///< the owner of an array, or a pointer with a count
    Raw,      ///< a pointer without a count
};

}    // namespace ferry::detail
