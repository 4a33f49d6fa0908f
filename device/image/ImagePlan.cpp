#include <ferry/device/image/ImagePlan.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <ferry/device/image/ImageActions.hpp>
#include <ferry/device/runtime/Poison.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::detail {

namespace {

constexpr std::size_t ObjectAlignment = 16;
constexpr std::uint32_t MostBytes = std::numeric_limits<std::uint32_t>::max();    // of a PlaceOfBlock

/// alignment: a power of 2. A division would take longer than all else that is done for an object.
std::size_t aligned(std::size_t offset, std::size_t alignment) noexcept { return (offset + alignment - 1) & ~(alignment - 1); }

std::uintptr_t addressOf(const void* memory) noexcept { return reinterpret_cast<std::uintptr_t>(memory); }

using Addresses = std::vector<PlaceOfBlock>;

/// Sorts by addresses, byte by byte, from the last byte in which they differ. A few passes suffice, because addresses lie near each other.
void sortByAddress(Addresses& all, Addresses& spare) {
    constexpr unsigned DigitBits = 11;
    constexpr std::size_t Digits = std::size_t{1} << DigitBits;
    constexpr std::size_t Few = 256;    // for fewer, comparing is faster
    if (all.size() < Few) {
        std::sort(all.begin(), all.end(), [](const auto& left, const auto& right) { return left.address < right.address; });
        return;
    }
    std::uintptr_t ones = 0;
    std::uintptr_t zeros = 0;
    for (const PlaceOfBlock& each : all) {
        ones |= each.address;
        zeros |= ~each.address;
    }
    const std::uintptr_t differing = ones & zeros;
    spare.resize(all.size());
    std::array<std::uint32_t, Digits> places;
    for (unsigned shift = differing == 0 ? 64 : static_cast<unsigned>(std::countr_zero(differing)); shift < 64 && (differing >> shift) != 0;
         shift += DigitBits) {
        if (((differing >> shift) & (Digits - 1)) == 0) continue;
        places.fill(0);
        for (const PlaceOfBlock& each : all) ++places[(each.address >> shift) & (Digits - 1)];
        std::uint32_t before = 0;
        for (std::uint32_t& place : places) before += std::exchange(place, before);
        for (const PlaceOfBlock& each : all) spare[places[(each.address >> shift) & (Digits - 1)]++] = each;
        all.swap(spare);
    }
}

}    // namespace

void ImagePlan::clear() noexcept {
    blocks_.clear();
    slots_.clear();
    byHost_.clear();
    byOffset_.clear();
    others_.clear();
    ends_.clear();
    rewired_.clear();
    isSorted_ = isOrdered_ = hasAbsorbed_ = false;
    stagedBytes_ = imageBytes_ = 0;
    for (const auto& memory : memories_) {
        if (memory == nullptr) continue;
        memory->isPointedTo = memory->isInside = memory->isShared = memory->isMarked = false;
        memory->marked = nullptr;
    }
}

void ImagePlan::build(void* root, std::size_t count, const ImageType& type, bool isMutable) {
    clear();
    type.addRoot(*this, root, count, isMutable);
    ImageDiscovery discovery(*this);
    constexpr std::size_t Ahead = 12;
    std::size_t next = 0;
    std::uint32_t guess = 0;
    for (bool isGoingOn = true; isGoingOn;) {
        for (; next < blocks_.size(); ++next) {    // blocks_ grows meanwhile
            if (next + Ahead < blocks_.size()) __builtin_prefetch(blocks_[next + Ahead].host);
            if (blocks_[next].type->discover != nullptr && !blocks_[next].isPostponed) discover(next, discovery);
        }
        isGoingOn = ends_.nextObject(blocks_, guess);
        if (isGoingOn) {
            discover(guess, discovery);
        } else {
            for (const std::uint32_t object : ends_.settle(blocks_)) {
                discover(object, discovery);
                isGoingOn = true;
            }
        }
    }
    if (mayOverlap()) absorb();
    place();
}

void ImagePlan::discover(std::size_t index, ImageDiscovery& discovery) {
    if (slots_.size() > std::numeric_limits<std::uint32_t>::max() - 1 || index == std::numeric_limits<std::uint32_t>::max())
        throw UsageError("a copy to a device has at most 2^32 pointers and objects");
    blocks_[index].firstSlot = static_cast<std::uint32_t>(slots_.size());
    blocks_[index].type->discover(discovery, blocks_[index].host, blocks_[index].count);
}

std::uint32_t& ImagePlan::otherNumber(const void* host, std::size_t count, const ImageType& type) {
    return others_[{host, count, type.type}];
}

bool ImagePlan::mayOverlap() const noexcept {
    return std::any_of(memories_.begin(), memories_.end(),
                       [](const auto& memory) { return memory != nullptr && memory->isPointedTo && memory->isInside; });
}

void ImagePlan::sortByHost() const {
    if (isSorted_) return;
    byHost_.clear();
    byHost_.reserve(blocks_.size());
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        byHost_.push_back({addressOf(blocks_[i].host), static_cast<std::uint32_t>(i),
                           static_cast<std::uint32_t>(std::min<std::size_t>(blocks_[i].bytes(), MostBytes))});
    }
    const auto before = [this](const PlaceOfBlock& left, const PlaceOfBlock& right) {
        if (left.address != right.address) return left.address < right.address;
        const std::size_t leftBytes = blocks_[left.index].bytes();
        const std::size_t rightBytes = blocks_[right.index].bytes();
        return leftBytes != rightBytes ? leftBytes > rightBytes : left.index < right.index;
    };
    if (!std::is_sorted(byHost_.begin(), byHost_.end(), before)) {
        sortByAddress(byHost_, spare_);
        // Blocks of one address are few, and are neighbours now.
        for (auto first = byHost_.begin(); first != byHost_.end();) {
            auto last = first + 1;
            while (last != byHost_.end() && last->address == first->address) ++last;
            if (last - first > 1) std::sort(first, last, before);
            first = last;
        }
    }
    isSorted_ = true;
}

// A block inside of another one gets its place there, so that a pointer to it leads to the same object in the image too.
void ImagePlan::absorb() {
    sortByHost();
    std::uintptr_t last = 0;
    const auto overlaps = [&last](const PlaceOfBlock& each) {
        if (each.bytes == 0) return false;    // the end of an array
        const bool isInside = each.address < last || each.bytes == MostBytes;
        last = each.address + each.bytes;
        return isInside;
    };
    if (std::none_of(byHost_.begin(), byHost_.end(), overlaps)) return;
    std::size_t around = 0;    // index of the block that may hold the next ones
    bool isFirst = true;
    for (const auto& [address, index, bytes] : byHost_) {
        ImageBlock& block = blocks_[index];
        if (block.isEnd) continue;
        if (!isFirst) {
            ImageBlock& outer = blocks_[around];
            const std::uintptr_t end = addressOf(outer.host) + outer.bytes();
            if (address + block.bytes() <= end) {
                block.isAbsorbed = hasAbsorbed_ = true;
                block.offset = around;    // until place(), the index of the block around it
                block.isSkipped = outer.type->isWhole;
                block.isEarly = !block.isSkipped || index < around;
                if (block.isSkipped) outer.isMutable |= block.isMutable;
                outer.hasEnd |= block.hasEnd && address + block.bytes() == end;
                continue;
            }
            if (address < end && (block.isMutable || outer.isMutable)) {
                throw UsageError(fmt::format(
                    "two arrays overlap in part, so that they cannot both be copied to a device: {} elements of {} and {} of {}: let one "
                    "pointer lead to all elements",
                    outer.count, typeName(*outer.type->type), block.count, typeName(*block.type->type)));
            }
        }
        isFirst = false;
        around = index;
    }
}

void ImagePlan::place() {
    const std::size_t redZone = redZoneBytes();
    const auto gapBehind = [redZone](const ImageBlock& block) { return block.hasEnd && redZone == 0 ? 1 : redZone; };
    std::size_t end = 0;
    bool hasDirect = false;
    for (ImageBlock& block : blocks_) {
        if (block.isAbsorbed) continue;
        block.isDirect = block.type->isFlat && block.bytes() >= DirectBytes;
        hasDirect |= block.isDirect;
        if (block.isDirect) continue;
        block.offset = aligned(end, std::max(ObjectAlignment, block.type->alignment));
        end = block.offset + block.bytes() + gapBehind(block);
    }
    stagedBytes_ = end;
    if (hasDirect) {
        for (ImageBlock& block : blocks_) {
            if (block.isAbsorbed || !block.isDirect) continue;
            block.offset = aligned(end, DirectAlignment);
            end = block.offset + block.bytes() + gapBehind(block);
        }
    }
    imageBytes_ = end;
    for (const std::uint32_t index : ends_.found()) {    // of an array within another block
        ImageBlock& block = blocks_[index];
        if (block.isAbsorbed && blocks_[block.offset].isAbsorbed) block.offset = blocks_[block.offset].offset;
    }
    if (!hasAbsorbed_ && ends_.found().empty()) return;
    for (ImageBlock& block : blocks_) {
        if (!block.isAbsorbed) continue;
        const ImageBlock& outer = blocks_[block.offset];
        block.offset = outer.offset + (addressOf(block.host) - addressOf(outer.host));
        block.isDirect = outer.isDirect;
    }
}

std::size_t ImagePlan::payloadBytes() const noexcept {
    std::size_t bytes = 0;
    for (const ImageBlock& block : blocks_) bytes += block.isAbsorbed ? 0 : block.bytes();
    return bytes;
}

std::size_t ImagePlan::objectCount() const noexcept {
    return static_cast<std::size_t>(
        std::count_if(blocks_.begin(), blocks_.end(), [](const auto& block) { return !block.isAbsorbed && !block.isEnd; }));
}

const ImageBlock* ImagePlan::atHost(const void* host, std::size_t bytes) const {
    sortByHost();
    const std::uintptr_t address = addressOf(host);
    auto found = std::upper_bound(byHost_.begin(), byHost_.end(), address,
                                  [](std::uintptr_t wanted, const PlaceOfBlock& each) { return wanted < each.address; });
    // A block that ends before the address may lie inside of one that does not.
    while (found != byHost_.begin()) {
        --found;
        const ImageBlock& block = blocks_[found->index];
        if (address - found->address + bytes <= block.bytes()) return &block;
        if (!block.isAbsorbed) return nullptr;
    }
    return nullptr;
}

const ImageBlock* ImagePlan::before(std::size_t offset) const {
    if (!isOrdered_) {
        byOffset_.clear();
        for (const bool isDirect : {false, true}) {
            for (std::size_t i = 0; i < blocks_.size(); ++i) {
                if (!blocks_[i].isAbsorbed && blocks_[i].isDirect == isDirect) byOffset_.push_back(static_cast<std::uint32_t>(i));
            }
        }
        isOrdered_ = true;
    }
    auto found = std::upper_bound(byOffset_.begin(), byOffset_.end(), offset,
                                  [this](std::size_t wanted, std::uint32_t index) { return wanted < blocks_[index].offset; });
    return found == byOffset_.begin() ? nullptr : &blocks_[*--found];
}

const ImageBlock* ImagePlan::atOffset(std::size_t offset) const {
    const ImageBlock* block = before(offset);
    return block != nullptr && offset - block->offset < block->bytes() ? block : nullptr;
}

const ImageBlock* ImagePlan::atEnd(std::size_t offset) const {
    const ImageBlock* block = before(offset);
    return block != nullptr && block->hasEnd && offset - block->offset == block->bytes() ? block : nullptr;
}

void ImagePlan::failTwoViews(const ImageType& type) {
    throw UsageError(fmt::format("one object of {} is shown by two Views of one copy: show it by one View", typeName(*type.type)));
}

}    // namespace ferry::detail
