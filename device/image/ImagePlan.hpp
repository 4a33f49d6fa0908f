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

#include <ferry/device/image/ArrayEnds.hpp>
#include <ferry/device/image/ImageBlock.hpp>
#include <ferry/device/image/RewiredPointers.hpp>
#include <ferry/device/runtime/Runtime.hpp>
#include <ferry/serialization/reference/AddressMap.hpp>

namespace ferry::detail {

/// Where a block lies on the host.
struct PlaceOfBlock {
    std::uintptr_t address = 0;
    std::uint32_t index = 0;
    std::uint32_t bytes = 0;    ///< at most 2^32 - 1, which means that many or more
};

/// Memory about one type between packings.
struct ImageMemory {
    virtual ~ImageMemory() = default;
    bool isPointedTo = false;             ///< pointers lead to objects of the type
    bool isInside = false;                ///< objects of the type lie inside of others: elements and members
    bool isShared = false;                ///< pointers lead to objects of the type that an owner may have as well
    bool isMarked = false;                ///< the types inside of it are marked, as the member of another type
    const ImageType* marked = nullptr;    ///< as the type of a block: the View under which they are marked
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

    /// Finds all objects and gives them places. Errors: UsageError for arrays that overlap in part, for one object under two Views, and for
    /// an array whose end is met too early.
    void build(void* root, std::size_t count, const ImageType& type, bool isMutable);
    void clear() noexcept;

    /// The number of the block of this object, from 1. Adds the block when it is new. 0 for null and for no elements.
    template <class U>
    std::uint32_t numberOf(const U* host, std::size_t count, const ImageType& type, bool isMutable, LeadBy lead);
    /// Adds slots for these pointers, each of which leads to one object.
    template <class Pointer>
    void addSlots(const Pointer* hosts, std::size_t count, const ImageType& type);
    /// The number of the block for memory to which one owner leads.
    template <class U>
    std::uint32_t addOwned(const U* host, std::size_t count, const ImageType& type, LeadBy lead);

    std::vector<ImageBlock>& blocks() noexcept { return blocks_; }
    const std::vector<ImageBlock>& blocks() const noexcept { return blocks_; }
    std::vector<std::uint32_t>& slots() noexcept { return slots_; }
    template <class U>
    ImageMemoryOf<U>& memory();

    RewiredPointers& rewired() noexcept { return rewired_; }

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
    /// The array that ends at this place of the image, or null.
    const ImageBlock* atEnd(std::size_t offset) const;
    /// The number of a block, from 1, for texts of errors.
    std::size_t numberOf(const ImageBlock& block) const noexcept { return static_cast<std::size_t>(&block - blocks_.data()) + 1; }

private:
    /// The number of a new block.
    template <class U>
    std::uint32_t add(ImageMemoryOf<U>& known, const U* host, std::size_t count, const ImageType& type, bool isMutable, LeadBy lead);
    template <class U>
    std::uint32_t numberIn(ImageMemoryOf<U>& known, const U* host, std::size_t count, const ImageType& type, bool isMutable, LeadBy lead);
    /// The number of a block with the address of another block of its type, but with another count. 0 until it is set.
    std::uint32_t& otherNumber(const void* host, std::size_t count, const ImageType& type);
    [[noreturn]] static void failTwoViews(const ImageType& type);
    void discover(std::size_t index, ImageDiscovery& discovery);
    void absorb();
    void place();
    void sortByHost() const;
    /// The last block that begins at this place of the image or before, or null.
    const ImageBlock* before(std::size_t offset) const;
    bool mayOverlap() const noexcept;

    std::vector<ImageBlock> blocks_;
    std::vector<std::uint32_t> slots_;
    std::vector<std::unique_ptr<ImageMemory>> memories_;    // by imageTypeIndex
    std::unordered_map<BlockKey, std::uint32_t, BlockKeyHash> others_;
    ArrayEnds ends_;
    RewiredPointers rewired_;
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
std::uint32_t ImagePlan::numberOf(const U* host, std::size_t count, const ImageType& type, bool isMutable, LeadBy lead) {
    if (host == nullptr || count == 0) return 0;
    ImageMemoryOf<U>& known = memory<U>();
    if (type.isFlat && count != 1) {    // leads nowhere, so that it may be added again: absorb() finds out that it is the same array
        known.isPointedTo = known.isInside = true;
        return add(known, host, count, type, isMutable, lead);
    }
    return numberIn(known, host, count, type, isMutable, lead);
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
        if (host != nullptr) slots[i] = numberIn(known, host, 1, type, !std::is_const_v<std::remove_pointer_t<Pointer>>, LeadBy::Raw);
    }
}

template <class U>
std::uint32_t ImagePlan::numberIn(ImageMemoryOf<U>& known, const U* host, std::size_t count, const ImageType& type, bool isMutable,
                                  LeadBy lead) {
    const auto meet = [isMutable, lead](ImageBlock& block) {
        block.isMutable |= isMutable;
        if (lead != LeadBy::Raw) block.isGuess = false;
        if (lead == LeadBy::Array) block.hasEnd = std::is_class_v<U>;
    };
    std::uint32_t* number = &known.numbers.numberOf(host);
    if (*number != 0 && *number <= blocks_.size()) {
        ImageBlock& block = blocks_[*number - 1];
        if (block.host == host && block.count == count && block.type == &type) {
            meet(block);
            return *number;
        }
        if (block.host == host && block.type->type == type.type) {
            if (block.count == count) failTwoViews(type);
            number = &otherNumber(host, count, type);
            if (*number != 0) {
                if (blocks_[*number - 1].type != &type) failTwoViews(type);
                meet(blocks_[*number - 1]);
                return *number;
            }
        }
    }
    known.isPointedTo = true;
    known.isInside |= count != 1;
    known.isShared |= !blocks_.empty();    // nothing leads to the root but the copy
    *number = add(known, host, count, type, isMutable, lead);
    return *number;
}

template <class U>
std::uint32_t ImagePlan::addOwned(const U* host, std::size_t count, const ImageType& type, LeadBy lead) {
    if (host == nullptr || count == 0) {
        if (std::is_class_v<U> && host != nullptr && lead == LeadBy::Array) ends_.addEmpty(host, *type.type);
        return 0;
    }
    ImageMemoryOf<U>& known = memory<U>();
    known.isInside = true;
    // A pointer may have led to the object around this memory, and the owner of that object leads there again.
    if (known.isShared && !type.isFlat) return numberIn(known, host, count, type, true, lead);
    return add(known, host, count, type, true, lead);
}

template <class U>
std::uint32_t ImagePlan::add(ImageMemoryOf<U>& known, const U* host, std::size_t count, const ImageType& type, bool isMutable,
                             LeadBy lead) {
    if constexpr (std::is_class_v<U>) {
        if (known.marked != &type) {
            known.marked = &type;
            type.markInside(*this);
        }
    }
    ImageBlock& block = blocks_.emplace_back();
    block.host = const_cast<std::remove_const_t<U>*>(host);
    block.count = count;
    block.type = &type;
    block.isMutable = isMutable;
    block.hasEnd = lead == LeadBy::Array && std::is_class_v<U>;
    const auto number = static_cast<std::uint32_t>(blocks_.size());
    if (lead == LeadBy::Raw && mayHaveArrays<U>) {
        block.isGuess = true;
        block.isPostponed = !type.isFlat;
        ends_.addGuess(number - 1, *type.type);
    }
    return number;
}

}    // namespace ferry::detail
