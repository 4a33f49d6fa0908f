#include <ferry/serialization/reference/GraphEnding.hpp>

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
        scratch_.clear();
        IntWriter out(scratch_);
        out.setReferences(&visiting);
        object.type->write(out, object.address, object.elementCount);
    }
}

void GraphEnding::visitUnique(void* object, const PointeeType& type, const Owner& owner) { visitArray(object, 1, type, owner); }

void GraphEnding::visitArray(void* first, std::size_t count, const PointeeType& type, const Owner& owner) {
    waiting_.push_back({first, &type, count});
    if (purpose_ != Purpose::Cut) return;
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
    }
}

}    // namespace ferry::detail
