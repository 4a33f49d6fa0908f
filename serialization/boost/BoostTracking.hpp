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

/// The classes and objects that a loading archive has met: the same classes and tracked objects in the same order as in the tables that
/// Boost keeps to itself.
/// Each number from the stream is checked against it before Boost sees it, since Boost takes such numbers for indexes and believes that the
/// object behind one is of the class that the stream says.
///
/// Ownership: borrows the reader; objects that were read through pointers belong to whoever read them, until destroyUnowned().
/// Errors: the check functions throw SerializationError.
class BoostTracking {
public:
    using Serializer = boost::archive::detail::basic_iserializer;
    using PointerSerializer = boost::archive::detail::basic_pointer_iserializer;
    using Finder = const PointerSerializer* (*)(const boost::serialization::extended_type_info&);

    static constexpr std::size_t NoObject = static_cast<std::size_t>(-1);

    /// One object that is being read.
    struct Frame {
        BoostTracking& tracking;
        Frame* enclosing;
        const Serializer* serializer = nullptr;    ///< its class; not known from the start behind a pointer
        const void* address = nullptr;             ///< where it lies, if it is read by value
        // The members below are used behind pointers only.
        void** pointer = nullptr;
        const PointerSerializer* expected = nullptr;    ///< the class that the pointer says, unless it is abstract
        Finder finder = nullptr;
        BoostOwner owner = BoostOwner::None;
        std::size_t object = NoObject;    ///< number of the object, if it is tracked
        bool isReference = false;         ///< it had been read before
        bool isConstructed = false;
        bool isBegun = false;    ///< Boost reads its contents

        explicit Frame(BoostTracking& tracking_) : tracking(tracking_), enclosing(tracking_.frame_) { tracking.frame_ = this; }
        ~Frame() { tracking.frame_ = enclosing; }
        Frame(const Frame&) = delete;
        Frame& operator=(const Frame&) = delete;
    };

    explicit BoostTracking(IntReader& in) : in_(in) {}

    /// Called when Boost registers a class.
    void addClass(const Serializer& serializer);
    /// The contents of something at this address are read next: if it is what the pointer leads to, it has been constructed.
    void noteConstructed(const void* address);
    /// Whether this is the object behind the pointer that is being read, about which the stream says no more than the contents.
    bool beginsPointee(const void* address, const Serializer& serializer);

    // The stream says ...
    void checkClass(int classNumber);
    void checkClassName(const char* name);
    void checkVersion(std::uint32_t version) const;
    void checkObject(std::uint32_t objectNumber);

    /// The object behind a pointer is there; the pointer's class must be a base of its own.
    void finishPointer(Frame& frame, const PointerSerializer& found, const boost::serialization::extended_type_info& pointerClass);
    /// Reading the object behind a pointer has failed: frees it, unless somebody owns it already.
    void abandonPointer(Frame& frame);
    /// Objects have moved; where those read by value lie is no longer known.
    void forgetAddresses() { addressesHold_ = false; }
    void allowSharedCycles() { areCyclesAllowed_ = true; }
    /// Destroys the objects that were read through raw pointers.
    void destroyUnowned();

private:
    struct Object {
        const Serializer* serializer = nullptr;
        void* address = nullptr;    ///< null when it was destroyed, or is not made yet
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
    std::vector<Object> untracked_;    // those behind raw pointers
    bool addressesHold_ = true;
    bool areCyclesAllowed_ = false;
};

}    // namespace ferry::detail
