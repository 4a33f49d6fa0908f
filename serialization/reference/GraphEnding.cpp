#include <ferry/serialization/reference/GraphEnding.hpp>

#include <algorithm>
#include <utility>

#include <ferry/serialization/ints/IntWriter.hpp>

namespace ferry::detail {

namespace {

const void* identityOf(const void* object, const PointeeType& type) {
    return &type == &objectPointee ? dynamic_cast<const void*>(static_cast<const IntSerializableObject*>(object)) : object;
}

}    // namespace

void GraphEnding::addShare(void* object, const PointeeType& type, long useCount) {
    places_.emplace(identityOf(object, type), shares_.size());
    shares_.push_back({{object, &type, 1}, 0, useCount, false});
}

void GraphEnding::addOwned(void* object, const PointeeType& type, std::size_t elementCount) {
    owned_.push_back({object, &type, elementCount});
}

void GraphEnding::cut() noexcept {
    try {
        if (!shares_.empty()) keepWhatIsHeldOutside();
        cutOwners();
    } catch (...) {
        // An object cannot be visited. Its destructor then destroys the objects that it owns.
    }
    for (const Object& object : ended_) object.type->destroy(object.address);
}

void GraphEnding::keepWhatIsHeldOutside() {
    waiting_ = owned_;
    for (const Share& share : shares_) waiting_.push_back(share.object);
    visitAll(Purpose::Count);
    for (Share& share : shares_) {
        share.isKept = share.useCount - 1 > share.innerCount;
        if (share.isKept) waiting_.push_back(share.object);
    }
    visitAll(Purpose::Keep);
}

void GraphEnding::cutOwners() {
    waiting_ = owned_;
    for (const Share& share : shares_) {
        if (!share.isKept) waiting_.push_back(share.object);
    }
    visitAll(Purpose::Cut);
}

void GraphEnding::visitAll(Purpose purpose) {
    purpose_ = purpose;
    ReferenceWriter visiting(this);
    while (!waiting_.empty()) {
        const Object object = waiting_.back();
        waiting_.pop_back();
        const std::size_t firstEnded = ended_.size();
        hasCopies_ = false;
        visit(object, visiting);
        if (hasCopies_) leaveUncut(object, visiting, firstEnded);
    }
}

void GraphEnding::visit(const Object& object, ReferenceWriter& visiting) {
    scratch_.clear();
    IntWriter out(scratch_);
    out.setReferences(&visiting);
    object.type->write(out, object.address, object.elementCount);
}

/// Leaves to the holder what it still owns. A class that writes itself may have written a copy of its pointer, such as the variable of a
/// loop, and the copy alone was cut.
void GraphEnding::leaveUncut(const Object& holder, ReferenceWriter& visiting, std::size_t firstEnded) noexcept {
    const Purpose before = std::exchange(purpose_, Purpose::FindUncut);
    firstUncut_ = firstEnded;
    try {
        visit(holder, visiting);
    } catch (...) {
        // The class cannot write itself without the objects that it has owned: so they are cut.
    }
    purpose_ = before;
}

void GraphEnding::visitUnique(void* object, const PointeeType& type, const Owner& owner) { visitArray(object, 1, type, owner); }

void GraphEnding::visitArray(void* first, std::size_t count, const PointeeType& type, const Owner& owner) {
    if (purpose_ == Purpose::FindUncut) {
        const auto isFound = [first](const Object& object) { return object.address == first; };
        ended_.erase(std::remove_if(ended_.begin() + static_cast<std::ptrdiff_t>(firstUncut_), ended_.end(), isFound), ended_.end());
        return;
    }
    waiting_.push_back({first, &type, count});
    if (purpose_ != Purpose::Cut) return;
    hasCopies_ = hasCopies_ || !owner.isMember;
    ended_.push_back({first, &type, count});
    owner.release(owner.pointer);
}

void GraphEnding::visitShared(const void* identity, const Owner& owner) {
    const auto place = places_.find(identity);
    if (place == places_.end()) return;
    Share& share = shares_[place->second];
    switch (purpose_) {
        case Purpose::Count: ++share.innerCount; return;
        case Purpose::Keep:
            if (!share.isKept) waiting_.push_back(share.object);
            share.isKept = true;
            return;
        case Purpose::Cut:
            if (!share.isKept) owner.release(owner.pointer);
            return;
        case Purpose::FindUncut: return;
    }
}

}    // namespace ferry::detail
