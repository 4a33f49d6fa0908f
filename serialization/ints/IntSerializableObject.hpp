#pragma once

#include <typeinfo>

#include <ferry/serialization/ints/ClassId.hpp>

namespace ferry {

class IntReader;
class IntWriter;

/// Root class of all objects that travel by pointer and arrive as objects of the same class.
///
/// A subclass gives its name with FERRY_CLASS (Class.hpp) and its fields with FERRY_FIELDS (Fields.hpp). Instead of FERRY_FIELDS, it may
/// define writeToInts and readFromInts. Both must handle the same fields in the same order, and readFromInts must leave no int unread.
class IntSerializableObject {
public:
    virtual ~IntSerializableObject() = default;

    // Compilers show these lines when a class does not define the functions.
    virtual detail::ClassId classId() const = 0;    // FERRY_CLASS(...) in the class defines it
    /// The name on the wire, such as "acme::Room". Lives as long as the program.
    virtual const char* className() const = 0;    // FERRY_CLASS(...) in the class defines it
    /// The type that classId() stands for. If the object's class lacks FERRY_CLASS, this is the type of a base class.
    virtual const std::type_info& classType() const { return typeid(*this); }

    virtual void writeToInts(IntWriter& out) const = 0;    // FERRY_FIELDS(...) in the class defines it
    virtual void readFromInts(IntReader& in) = 0;          // FERRY_FIELDS(...) in the class defines it

    /// Writes the class ID, then the contents. A polymorphic pointer travels in this form. FERRY_CLASS overrides the function.
    /// Errors: UsageError when the object would arrive as its base class, because its own class lacks FERRY_CLASS.
    virtual void writeWithClassId(IntWriter& out) const;

protected:
    IntSerializableObject() = default;
    IntSerializableObject(const IntSerializableObject&) = default;
    IntSerializableObject(IntSerializableObject&&) = default;
    IntSerializableObject& operator=(const IntSerializableObject&) = default;
    IntSerializableObject& operator=(IntSerializableObject&&) = default;
};

namespace detail {

[[noreturn]] void failForeignClassId(const IntSerializableObject& object);

/// Throws UsageError when the object would arrive as its base class, because its own class lacks FERRY_CLASS.
inline void requireOwnClassId(const IntSerializableObject& object) {
    if (object.classType() != typeid(object)) [[unlikely]] {
        detail::failForeignClassId(object);
    }
}

}    // namespace detail

}    // namespace ferry
