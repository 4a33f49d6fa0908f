#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ferry/device/runtime/Runtime.hpp>
#include <ferry/serialization/reference/AddressMap.hpp>

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
    bool isWhole = false;    ///< no View leaves out members

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
    bool isMutable = false;     ///< a kernel may change it, so that its values come back
    bool isAbsorbed = false;    ///< lies inside of another block
    bool isSkipped = false;     ///< the block around it brings its values there and back
    bool isEarly = false;       ///< absorbed, and its pointers are compared before later blocks are read
    bool isDirect = false;      ///< a large array that is sent from where it lies

    std::size_t bytes() const noexcept { return count * type->bytes; }
};

/// Where a block lies on the host.
struct PlaceOfBlock {
    std::uintptr_t address = 0;
    std::uint32_t index = 0;
    std::uint32_t bytes = 0;    ///< at most 2^32 - 1, which means that many or more
};

/// What tells blocks with one address apart.
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

/// Memory about one type between packings.
struct ImageMemory {
    virtual ~ImageMemory() = default;
    bool isPointedTo = false;    ///< pointers lead to objects of the type
    bool isInside = false;       ///< objects of the type lie inside of others: elements and members
    bool isShared = false;       ///< pointers lead to objects of the type that an owner may have as well
    bool isMarked = false;       ///< the types inside of it are marked
};
template <class U>
struct ImageMemoryOf final : ImageMemory {
    AddressMap<sizeof(U)> numbers;    // number of the block from 1; old numbers are found out by comparing addresses
};

inline std::size_t nextImageTypeIndex() noexcept {
    static std::atomic<std::size_t> next{0};
    return next++;
}
template <class U>
std::size_t imageTypeIndex() noexcept {
    static const std::size_t index = nextImageTypeIndex();
    return index;
}

/// The places of all objects of one copy: which object of the host lies where in the image.
///
/// discover() follows all pointers without recursion. place() gives offsets. Each pointer has a slot with the number of its block, in the
/// order of the walk, so that later walks need no look-up.
class ImagePlan {
public:
    /// Arrays of at least this many bytes are sent from where they lie.
    static constexpr std::size_t DirectBytes = 64 * 1024;
    static constexpr std::size_t DirectAlignment = 256;    ///< of their places in the image

    /// Finds all objects and gives them places. Errors: UsageError for arrays that overlap in part, and for one object under two Views.
    void build(void* root, std::size_t count, const ImageType& type, bool isMutable);
    void clear() noexcept;

    /// The number of the block of this object, from 1. Adds the block when it is new. 0 for null and for no elements.
    template <class U>
    std::uint32_t numberOf(const U* host, std::size_t count, const ImageType& type, bool isMutable);
    /// Adds slots for these pointers, each of which leads to one object.
    template <class Pointer>
    void addSlots(const Pointer* hosts, std::size_t count, const ImageType& type);
    /// The number of the block for memory to which one owner leads.
    template <class U>
    std::uint32_t addOwned(const U* host, std::size_t count, const ImageType& type);

    std::vector<ImageBlock>& blocks() noexcept { return blocks_; }
    const std::vector<ImageBlock>& blocks() const noexcept { return blocks_; }
    std::vector<std::uint32_t>& slots() noexcept { return slots_; }
    template <class U>
    ImageMemoryOf<U>& memory();

    std::size_t stagedBytes() const noexcept { return stagedBytes_; }    ///< of the part that is gathered
    std::size_t imageBytes() const noexcept { return imageBytes_; }      ///< with the arrays that are sent from where they lie
    std::size_t payloadBytes() const noexcept;                           ///< without gaps
    std::size_t objectCount() const noexcept;
    /// Whether blocks lie inside of others, so that not all are written in the order of their places.
    bool hasAbsorbed() const noexcept { return hasAbsorbed_; }

    /// A block with these bytes of the host, or null. bytes: at least 1.
    const ImageBlock* atHost(const void* host, std::size_t bytes = 1) const;
    /// The block with this byte of the image, or null.
    const ImageBlock* atOffset(std::size_t offset) const;
    /// The number of a block, from 1, for texts of errors.
    std::size_t numberOf(const ImageBlock& block) const noexcept { return static_cast<std::size_t>(&block - blocks_.data()) + 1; }

private:
    std::uint32_t add(void* host, std::size_t count, const ImageType& type, bool isMutable);
    template <class U>
    std::uint32_t numberIn(ImageMemoryOf<U>& known, const U* host, std::size_t count, const ImageType& type, bool isMutable);
    /// The number of a block with the address of another block of its type, but with another count. 0 until it is set.
    std::uint32_t& otherNumber(const void* host, std::size_t count, const ImageType& type);
    [[noreturn]] static void failTwoViews(const ImageType& type);
    void absorb();
    void place();
    void sortByHost() const;
    bool mayOverlap() const noexcept;

    std::vector<ImageBlock> blocks_;
    std::vector<std::uint32_t> slots_;
    std::vector<std::unique_ptr<ImageMemory>> memories_;    // by imageTypeIndex
    std::unordered_map<BlockKey, std::uint32_t, BlockKeyHash> others_;
    std::size_t stagedBytes_ = 0;
    std::size_t imageBytes_ = 0;
    mutable std::vector<PlaceOfBlock> byHost_;       // ascending
    mutable std::vector<PlaceOfBlock> spare_;        // for sorting, kept for its memory
    mutable std::vector<std::uint32_t> byOffset_;    // indices of blocks by their offsets
    bool hasAbsorbed_ = false;
    mutable bool isSorted_ = false;
    mutable bool isOrdered_ = false;
};

template <class U>
ImageMemoryOf<U>& ImagePlan::memory() {
    const std::size_t index = imageTypeIndex<U>();
    if (index >= memories_.size()) memories_.resize(index + 1);
    if (memories_[index] == nullptr) memories_[index] = std::make_unique<ImageMemoryOf<U>>();
    return static_cast<ImageMemoryOf<U>&>(*memories_[index]);
}

template <class U>
std::uint32_t ImagePlan::numberOf(const U* host, std::size_t count, const ImageType& type, bool isMutable) {
    if (host == nullptr || count == 0) return 0;
    ImageMemoryOf<U>& known = memory<U>();
    if (type.isFlat && count != 1) {    // leads nowhere, so that it may be added again: absorb() finds out that it is the same array
        known.isPointedTo = known.isInside = true;
        return add(const_cast<std::remove_const_t<U>*>(host), count, type, isMutable);
    }
    return numberIn(known, host, count, type, isMutable);
}

template <class Pointer>
void ImagePlan::addSlots(const Pointer* hosts, std::size_t count, const ImageType& type) {
    using U = std::remove_cv_t<std::remove_pointer_t<Pointer>>;
    ImageMemoryOf<U>& known = memory<U>();
    const std::size_t first = slots_.size();
    slots_.resize(first + count);
    std::uint32_t* slots = slots_.data() + first;
    for (std::size_t i = 0; i < count; ++i) {
        const U* host = hosts[i];
        if (host != nullptr) slots[i] = numberIn(known, host, 1, type, !std::is_const_v<std::remove_pointer_t<Pointer>>);
    }
}

template <class U>
std::uint32_t ImagePlan::numberIn(ImageMemoryOf<U>& known, const U* host, std::size_t count, const ImageType& type, bool isMutable) {
    std::uint32_t* number = &known.numbers.numberOf(host);
    if (*number != 0 && *number <= blocks_.size()) {
        ImageBlock& block = blocks_[*number - 1];
        if (block.host == host && block.count == count && block.type == &type) {
            block.isMutable |= isMutable;
            return *number;
        }
        if (block.host == host && block.type->type == type.type) {
            if (block.count == count) failTwoViews(type);
            number = &otherNumber(host, count, type);
            if (*number != 0) {
                if (blocks_[*number - 1].type != &type) failTwoViews(type);
                blocks_[*number - 1].isMutable |= isMutable;
                return *number;
            }
        }
    }
    known.isPointedTo = true;
    known.isInside |= count != 1;
    known.isShared |= !blocks_.empty();    // nothing leads to the root but the copy
    *number = add(const_cast<std::remove_const_t<U>*>(host), count, type, isMutable);
    return *number;
}

template <class U>
std::uint32_t ImagePlan::addOwned(const U* host, std::size_t count, const ImageType& type) {
    if (host == nullptr || count == 0) return 0;
    ImageMemoryOf<U>& known = memory<U>();
    known.isInside = true;
    // A pointer may have led to the object around this memory, and the owner of that object leads there again.
    if (known.isShared && !type.isFlat) return numberIn(known, host, count, type, true);
    return add(const_cast<std::remove_const_t<U>*>(host), count, type, true);
}

inline std::uint32_t ImagePlan::add(void* host, std::size_t count, const ImageType& type, bool isMutable) {
    ImageBlock& block = blocks_.emplace_back();
    block.host = host;
    block.count = count;
    block.type = &type;
    block.isMutable = isMutable;
    return static_cast<std::uint32_t>(blocks_.size());
}

}    // namespace ferry::detail
