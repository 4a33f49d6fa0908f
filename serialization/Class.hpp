#pragma once

#include <concepts>
#include <typeinfo>

#include <ferry/serialization/ClassInfo.hpp>

namespace ferry {

namespace detail {

template <class Owner>
Owner* ownerOf(const char* (Owner::*)() const);

}    // namespace detail

/// Whether FERRY_CLASS stands in the class itself: one that only inherits it would arrive as its base class.
template <class T>
concept HasOwnClassName = requires {
    { detail::ownerOf(&T::className) } -> std::same_as<T*>;
    T::ferryClassName();
};

}    // namespace ferry

/// FERRY_CLASS(Room) or FERRY_CLASS(acme::Room), in the public part of a class derived from IntSerializableObject: gives it a name on
/// the wire and the class ID that goes with it, and registers it wherever this class's definition is linked in. The name must not change
/// once messages or files of other versions hold it. The class needs a default constructor and a namespace scope (or class scope).
#define FERRY_CLASS(Class_)                                                                         \
    static constexpr const char* ferryClassName() noexcept { return #Class_; }                      \
    ::ferry::ClassId classId() const override { return ::ferry::classIdOf(#Class_); }               \
    const char* className() const override { return #Class_; }                                      \
    const std::type_info& classType() const override { return typeid(Class_); }                     \
    static void ferryRegister() { ::ferry::detail::registerClass(::ferry::classInfoOf<Class_>()); } \
    static inline const ::ferry::detail::ClassRegistrar ferryRegistrar{&ferryRegister};
