#include <ferry/serialization/reference/ReceivedObjects.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <new>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include <ferry/serialization/reference/GraphEnding.hpp>

namespace ferry::detail {

struct ReceivedObjects::ElementCounts {
    boost::unordered_flat_map<std::uint32_t, std::size_t> counts;    // of arrays; key: the number
};

ReceivedObjects::ReceivedObjects(GraphMemory memory) noexcept : memory_(memory) {}

ReceivedObjects::~ReceivedObjects() {
    if (claims_.empty()) {
        for (std::uint32_t i = 0; i < count_; ++i) endOwned(objects_[i]);
        return;
    }
    // Without memory in all tries, the pointers stay uncut. The destructors then destroy the objects that are owned. Cycles of shared_ptr stay.
    constexpr int mostTries = 16;
    for (int tries = 0; tries < mostTries && !cutAll(); ++tries) {
    }
    for (std::uint32_t i = 0; i < count_; ++i) {
        if (ownerOf(i + 1) == Owner::Graph) endOwned(objects_[i]);
    }
}

/// Cuts the pointers between the objects, so that each object ends once. Returns false, with nothing done, when there is no memory.
bool ReceivedObjects::cutAll() const noexcept {
    try {
        GraphEnding ending;
        for (const Share& share : shares_) ending.addShare(share.object.address, *share.object.type, share.pointer.use_count());
        for (std::uint32_t i = 0; i < count_; ++i) {
            if (ownerOf(i + 1) == Owner::Graph) ending.addOwned(objects_[i].address, *objects_[i].type, elementCountOf(i + 1));
        }
        ending.cut();
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void ReceivedObjects::endOwned(const Object& object) const noexcept {
    if (memory_ == GraphMemory::Heap) {
        object.type->destroy(object.address);
    } else if (object.type->hasDestructor) {
        object.type->destroyAt(object.address);
    }
}

void ReceivedObjects::grow() {
    constexpr std::uint32_t FirstCapacity = 64;
    const std::uint64_t wanted = std::max<std::uint64_t>(FirstCapacity, std::uint64_t{capacity_} + capacity_ / 2);
    const auto capacity = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, std::numeric_limits<std::uint32_t>::max()));
    void* grown = std::realloc(objects_.get(), std::size_t{capacity} * sizeof(Object));
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(objects_.release());
    objects_.reset(static_cast<Object*>(grown));
    capacity_ = capacity;
}

IntSerializableObject* ReceivedObjects::make(const ClassInfo& info) {
    reservePlace();
    IntSerializableObject* object = memory_ == GraphMemory::Arena
                                        ? info.createAt(arena_.allocate(info.objectBytes + ByteBehind, info.alignment))
                                        : info.create().release();
    objects_[count_++] = {object, &objectPointee};
    return object;
}

void ReceivedObjects::noteElementCount(std::uint32_t number, std::size_t elementCount) {
    if (elementCounts_ == nullptr) elementCounts_ = SoleOwner<ElementCounts>::make();
    elementCounts_->counts[number] = elementCount;
}

std::size_t ReceivedObjects::elementCountOf(std::uint32_t number) const {
    if (!at(number).type->isArray) return 1;
    return elementCounts_->counts.at(number);
}

void ReceivedObjects::addShared(std::shared_ptr<void> share, void* address, const PointeeType& type) {
    reservePlace();
    std::uint32_t& claim = claimOf(count_ + 1);
    shares_.push_back({std::move(share), {address, &type}});
    objects_[count_++] = {address, &type};
    claim = FirstShare + static_cast<std::uint32_t>(shares_.size() - 1);
}

ReceivedObjects::Owner ReceivedObjects::ownerOf(std::uint32_t number) const noexcept {
    const std::uint32_t claim = number <= claims_.size() ? claims_[number - 1] : ByGraph;
    return claim == ByGraph ? Owner::Graph : claim == ByUnique ? Owner::Unique : Owner::Shared;
}

std::uint32_t& ReceivedObjects::claimOf(std::uint32_t number) {
    if (number > claims_.size()) claims_.resize(number, ByGraph);
    return claims_[number - 1];
}

bool ReceivedObjects::giveToUnique(std::uint32_t number, std::uint32_t owner) {
    std::uint32_t& claim = claimOf(number);
    if (!uniqueOwners_.add(number, owner)) return false;
    claim = ByUnique;
    return true;
}

void ReceivedObjects::takeBack(const void** addresses, std::size_t count) noexcept {
    std::sort(addresses, addresses + count, std::less<>());
    for (std::uint32_t number = 1; number <= std::min<std::size_t>(count_, claims_.size()); ++number) {
        std::uint32_t& claim = claims_[number - 1];
        if (claim == ByUnique && std::binary_search(addresses, addresses + count, at(number).address, std::less<>())) claim = ByGraph;
    }
}

void ReceivedObjects::startShare(std::uint32_t number) {
    std::uint32_t& claim = claimOf(number);
    shares_.push_back({nullptr, at(number)});
    claim = FirstShare + static_cast<std::uint32_t>(shares_.size() - 1);
}

void ReceivedObjects::forgetShare(std::uint32_t number) noexcept {
    shares_.pop_back();
    claims_[number - 1] = ByUnique;
}

void ReceivedObjects::abandon() noexcept {
    count_ = 0;
    claims_.clear();
    shares_.clear();
}

}    // namespace ferry::detail
