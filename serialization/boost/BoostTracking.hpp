#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <boost/archive/detail/basic_iserializer.hpp>
#include <boost/archive/detail/basic_pointer_iserializer.hpp>

#include <ferry/serialization/boost/BoostTypes.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

namespace ferry::detail {

/// The classes and tracked objects that a loading archive has met, in the order of Boost's own internal tables. Each number from the stream
/// is checked against them before Boost sees it. Boost would use such a number as an index without a check, and trust the class that the
/// stream states for the object.
///
/// Ownership: borrows the reader. Objects that were read through pointers belong to the caller, until destroyUnowned().
/// Errors: the check functions throw SerializationError.
class BoostTracking {
public:
    using Serializer = boost::archive::detail::basic_iserializer;
    using PointerSerializer = boost::archive::detail::basic_pointer_iserializer;
    using Finder = const PointerSerializer* (*)(const boost::serialization::extended_type_info&);

    static constexpr std::size_t NoObject = static_cast<std::size_t>(-1);

    /// An object that is being read.
    struct Frame {
        BoostTracking& tracking;
        Frame* enclosing;
        const Serializer* serializer = nullptr;    ///< the object's class; for an object behind a pointer, set later
        const void* address = nullptr;             ///< the object's address, if it is read by value
        // The members below are used only for objects behind pointers.
        void** pointer = nullptr;
        const PointerSerializer* expected = nullptr;    ///< the class of the pointer, unless it is abstract
        Finder finder = nullptr;
        BoostOwner owner = BoostOwner::None;
        std::size_t object = NoObject;    ///< number of the object, if it is tracked
        bool isReference = false;         ///< the object was read before
        bool isConstructed = false;
        bool isBegun = false;    ///< Boost is reading its contents

        explicit Frame(BoostTracking& tracking_) : tracking(tracking_), enclosing(tracking_.frame_) { tracking.frame_ = this; }
        ~Frame() { tracking.frame_ = enclosing; }
        Frame(const Frame&) = delete;
        Frame& operator=(const Frame&) = delete;
    };

    explicit BoostTracking(IntReader& in) : in_(in) {}

    /// To be called when Boost registers a class.
    void addClass(const Serializer& serializer);
    /// Notes that the contents of an object at this address are read next. If the current pointer points to this address, its object has
    /// been constructed. Its memory is then counted (ReadLimits::memoryPerByte).
    void noteConstructed(const void* address, std::size_t objectBytes);
    /// Whether this is the object of the pointer that is being read. For such an object, the stream contains only the contents.
    bool beginsPointee(const void* address, const Serializer& serializer);

    // Each function checks a number or name from the stream.
    void checkClass(int classNumber);
    void checkClassName(const char* name);
    void checkVersion(std::uint32_t version) const;
    void checkObject(std::uint32_t objectNumber);

    /// To be called when the object behind a pointer has been read. The class of the pointer must be a base of the object's class.
    void finishPointer(Frame& frame, const PointerSerializer& found, const boost::serialization::extended_type_info& pointerClass);
    /// To be called when reading the object behind a pointer has failed. Frees the object, unless it already has an owner.
    void abandonPointer(Frame& frame);
    /// Notes that objects have moved. The addresses of objects read by value are then unknown.
    void forgetAddresses() { addressesHold_ = false; }
    void allowSharedCycles() { areCyclesAllowed_ = true; }
    /// Destroys the objects that were read through raw pointers.
    void destroyUnowned();

private:
    struct Object {
        const Serializer* serializer = nullptr;
        void* address = nullptr;    ///< null: destroyed, or not made yet
        bool isByValue = false;
        bool isConstructed = false;
        bool isComplete = false;
        BoostOwner owner = BoostOwner::None;
    };

    void checkReference(const Object& object, std::uint32_t objectNumber) const;
    void checkOwner(const Object& object, std::uint32_t objectNumber) const;
    bool ownsItself(std::uint32_t objectNumber) const;
    [[noreturn]] void failOwned() const;

    IntReader& in_;
    Frame* frame_ = nullptr;
    std::unordered_map<const Serializer*, int> classNumbers_;
    std::vector<const Serializer*> classes_;
    std::vector<Object> objects_;
    std::vector<Object> untracked_;    // objects behind raw pointers
    bool addressesHold_ = true;
    bool areCyclesAllowed_ = false;
};

}    // namespace ferry::detail
