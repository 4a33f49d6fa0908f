#include <ferry/serialization/boost/BoostTracking.hpp>

#include <new>

#include <fmt/format.h>
#include <boost/archive/archive_exception.hpp>
#include <boost/serialization/extended_type_info.hpp>
#include <boost/serialization/void_cast.hpp>

#include <ferry/serialization/ints/ClassInfo.hpp>

namespace ferry::detail {

void BoostTracking::addClass(const Serializer& serializer) {
    if (classNumbers_.try_emplace(&serializer, static_cast<int>(classes_.size())).second) classes_.push_back(&serializer);
}

void BoostTracking::noteConstructed(const void* address, std::size_t objectBytes) {
    if (frame_ == nullptr || frame_->pointer == nullptr || frame_->isConstructed || *frame_->pointer != address) return;
    frame_->isConstructed = true;
    if (frame_->object != NoObject) {
        objects_[frame_->object].isConstructed = true;
        objects_[frame_->object].address = *frame_->pointer;
    }
    if (isRoomyObject(objectBytes)) in_.chargeRoomy(1, objectBytes);    // the first place that knows the class
}

bool BoostTracking::beginsPointee(const void* address, const Serializer& serializer) {
    if (frame_ == nullptr || frame_->pointer == nullptr || frame_->isBegun) return false;
    if (frame_->serializer != &serializer || *frame_->pointer != address) return false;
    frame_->isBegun = true;
    return true;
}

void BoostTracking::checkClass(int classNumber) {
    constexpr int NullPointer = -1;
    if (classNumber == NullPointer) return;
    if (frame_ == nullptr || frame_->pointer == nullptr) in_.fail("no class number here", fmt::format("{}", classNumber));
    const int known = static_cast<int>(classes_.size());
    // The name of a new class follows. Boost reads a name only if the class can differ from that of the pointer.
    const bool mayBeNew = frame_->expected == nullptr || frame_->expected->get_basic_serializer().is_polymorphic();
    if (classNumber < 0 || classNumber > (mayBeNew ? known : known - 1)) {
        in_.fail(fmt::format("a class number from -1 to {}", mayBeNew ? known : known - 1), fmt::format("{}", classNumber));
    }
    if (classNumber == known) return;
    frame_->serializer = classes_[static_cast<std::size_t>(classNumber)];
    if (frame_->serializer->get_bpis_ptr() == nullptr) {
        in_.fail("a class that is read through pointers", fmt::format("class number {}", classNumber));
    }
}

void BoostTracking::checkClassName(const char* name) {
    const auto* type = *name == '\0' ? nullptr : boost::serialization::extended_type_info::find(name);
    const PointerSerializer* found = type == nullptr || frame_ == nullptr || frame_->finder == nullptr ? nullptr : frame_->finder(*type);
    if (found == nullptr) in_.fail("the name of a class that is exported to Boost.Serialization", fmt::format("'{}'", name));
    const Serializer& serializer = found->get_basic_serializer();
    if (classNumbers_.contains(&serializer)) in_.fail("the name of a class that is new", fmt::format("'{}'", name));
    addClass(serializer);
    frame_->serializer = &serializer;
}

void BoostTracking::checkVersion(std::uint32_t version) const {
    if (frame_ == nullptr || frame_->serializer == nullptr) in_.fail("no class version here", fmt::format("{}", version));
    const std::uint32_t newest = frame_->serializer->version();
    if (version > newest) in_.fail(fmt::format("version {} or older of a class", newest), fmt::format("version {}", version));
}

void BoostTracking::checkObject(std::uint32_t objectNumber) {
    if (frame_ == nullptr || frame_->serializer == nullptr || frame_->object != NoObject || objectNumber > objects_.size()) {
        in_.fail(fmt::format("an object number of at most {}", objects_.size()), fmt::format("{}", objectNumber));
    }
    const bool isByValue = frame_->pointer == nullptr;
    frame_->object = objectNumber;
    if (objectNumber == objects_.size()) {
        Object object;
        object.serializer = frame_->serializer;
        object.isByValue = isByValue;
        object.address = const_cast<void*>(frame_->address);
        objects_.push_back(object);
        return;
    }
    frame_->isReference = true;
    checkReference(objects_[objectNumber], objectNumber);
}

void BoostTracking::checkReference(const Object& object, std::uint32_t objectNumber) const {
    if (object.serializer != frame_->serializer) {
        in_.fail("an object of the class that was named", fmt::format("object {} of another class", objectNumber));
    }
    if (frame_->pointer == nullptr) {
        if (addressesHold_ && object.address != frame_->address)
            in_.fail("an object", fmt::format("object {}, which lies elsewhere", objectNumber));
        return;
    }
    if (!object.isByValue && (!object.isConstructed || object.address == nullptr)) {
        in_.fail("an object that is there", fmt::format("object {}, which is not constructed", objectNumber));
    }
    checkOwner(object, objectNumber);
}

void BoostTracking::checkOwner(const Object& object, std::uint32_t objectNumber) const {
    if (frame_->owner == BoostOwner::None) return;
    if (object.isByValue) failOwned();
    if (frame_->owner == BoostOwner::Unique) {
        if (object.owner != BoostOwner::None || !object.isComplete) failOwned();
        return;
    }
    if (object.owner == BoostOwner::Unique) failOwned();
    if (frame_->owner == BoostOwner::Shared && !object.isComplete && !areCyclesAllowed_ && ownsItself(objectNumber)) {
        in_.fail("a shared object that does not own itself", fmt::format("object {}, which owns itself", objectNumber));
    }
}

/// Whether all pointers on the path from this object back to itself are owners. The object is being read.
bool BoostTracking::ownsItself(std::uint32_t objectNumber) const {
    for (const Frame* frame = frame_->enclosing; frame != nullptr; frame = frame->enclosing) {
        if (frame->pointer == nullptr) continue;
        if (frame->object == objectNumber) return true;
        if (frame->owner == BoostOwner::None || frame->owner == BoostOwner::Weak) return false;
    }
    return false;
}

void BoostTracking::failOwned() const { in_.fail("an object that nobody owns yet", "an object that has an owner"); }

void BoostTracking::finishPointer(Frame& frame, const PointerSerializer& found,
                                  const boost::serialization::extended_type_info& pointerClass) {
    void* const address = *frame.pointer;
    if (address == nullptr) return;
    frame.isConstructed = true;
    if (&found != frame.expected && boost::serialization::void_upcast(found.get_eti(), pointerClass, address) == nullptr) {
        in_.fail("an object of the pointer's class", "an object of another class");
    }
    if (frame.object == NoObject) {
        if (frame.owner == BoostOwner::None) untracked_.push_back({frame.serializer, address, false, true, true, BoostOwner::None});
        return;
    }
    Object& object = objects_[frame.object];
    if (!frame.isReference) {
        if (frame.owner == BoostOwner::Unique && object.owner != BoostOwner::None) failOwned();
        object.isConstructed = true;
        object.isComplete = true;
        object.address = address;
    }
    if (frame.owner != BoostOwner::None) object.owner = frame.owner == BoostOwner::Weak ? BoostOwner::Shared : frame.owner;
}

void BoostTracking::abandonPointer(Frame& frame) {
    void* const address = *frame.pointer;
    *frame.pointer = nullptr;
    if (address == nullptr || frame.isReference || frame.serializer == nullptr) return;
    if (frame.object != NoObject) {
        Object& object = objects_[frame.object];
        object.address = nullptr;
        if (object.owner != BoostOwner::None) return;
    }
    if (frame.isConstructed) {
        frame.serializer->destroy(address);
    } else {
        ::operator delete(address);    // memory that Boost got from operator new and in which no object was constructed
    }
}

void BoostTracking::destroyUnowned() {
    for (std::vector<Object>* objects : {&objects_, &untracked_}) {
        for (Object& object : *objects) {
            if (object.isByValue || !object.isComplete || object.owner != BoostOwner::None || object.address == nullptr) continue;
            object.serializer->destroy(object.address);
            object.address = nullptr;
        }
    }
}

}    // namespace ferry::detail
