#pragma once

#include <concepts>
#include <memory>
#include <string_view>
#include <type_traits>
#include <typeinfo>

#include <ferry/serialization/codec/CodecClass.hpp>
#include <ferry/serialization/ints/ClassInfo.hpp>
#include <ferry/serialization/ints/CompilersText.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/WireName.hpp>

namespace ferry::detail {

/// Whether a text ends with another one, ignoring all spaces.
consteval bool endsWith(std::string_view text, std::string_view ending) {
    while (!ending.empty()) {
        if (ending.back() == ' ') {
            ending.remove_suffix(1);
        } else if (!text.empty() && text.back() == ' ') {
            text.remove_suffix(1);
        } else {
            if (text.empty() || text.back() != ending.back()) return false;
            text.remove_suffix(1);
            ending.remove_suffix(1);
        }
    }
    return true;
}

/// Whether a class comes from a class template and is not the specialisation that FERRY_CLASS names. Such a class is never
/// registered.
template <class T>
consteval bool isUnnamedInstance() {
    const std::string_view type = compilersTextOf<T>();
    const std::string_view given = T::ferryGivenName();
    return type.find('<') != type.npos && (given.find('<') == given.npos || !endsWith(type, given));
}

/// Writes class ID and contents of the object behind a polymorphic pointer, in a single virtual call.
template <class T>
void writeObject(const T& object, IntWriter& out) {
    static_assert(
        !losesOwnFields<T>(),
        "FERRY_CLASS: the class (see T) inherits writeToInts, which leaves out its own fields: list them with FERRY_FIELDS(...) or "
        "FERRY_FIELDS_AFTER(Base, ...); FERRY_FIELDS_AFTER(Base) says that none of them is to travel");
    static_assert(!isUnnamedInstance<T>(),
                  "FERRY_CLASS and FERRY_EXCEPTION: not in a class template, whose instances (see T) would all have one name and are never "
                  "registered: derive a class from each instance that travels, and give that one the name");
    if constexpr (std::is_base_of_v<IntSerializableObject, T>) {    // for other classes classInfoAs reports the error
        if (typeid(T) != typeid(object)) [[unlikely]] {
            failForeignClassId(object);
        }
    }
    if constexpr (hasFixedFields<T>) {
        std::int32_t* target = out.claim(1 + FieldsOf<T>::fixedTotal);
        *target = classIdFor<T>;
        FieldAccess::visit(object, [target](const auto&... fields) { putPack(target + 1, fields...); });
        return;
    }
    out.writeInt(classIdFor<T>);
    out.writeSelf(std::addressof(object), [&] {
        if constexpr (requires { object.T::writeToInts(out); }) {
            object.T::writeToInts(out);
        } else {
            static_cast<const IntSerializableObject&>(object).writeToInts(out);    // overridden in the private part of the class
        }
    });
}

template <class Owner>
Owner* ownerOf(const char* (Owner::*)() const);

/// Whether FERRY_CLASS is in the class itself. A class that only inherits it would arrive as its base class.
template <class T>
concept HasOwnClassName = requires {
    { detail::ownerOf(&T::className) } -> std::same_as<T*>;
    T::ferryClassName();
};

}    // namespace ferry::detail

/// FERRY_CLASS(Room), in the public part of a class derived from IntSerializableObject. Gives the class a wire name and the class ID of
/// this name. The wire name is the qualified name of the class, such as acme::Room, without unnamed namespaces. Registers the class in
/// every program that links its definition. The name must not change once messages or files of other versions contain it. The class needs a
/// default constructor and must be at namespace scope (or class scope). Not for class templates, because all instances would have one name.
/// FERRY_CLASS(acme::Room) fixes the name of a class in an inline namespace of acme, which compilers spell in two ways.
#define FERRY_CLASS(Class_)                                                                    \
    static constexpr const char* ferryGivenName() noexcept { return #Class_; }                 \
    static constexpr const char* ferryClassName() noexcept { return FERRY_WIRE_NAME(Class_); } \
    FERRY_CLASS_MEMBERS(Class_)

/// FERRY_CLASS_NAMED(Room, "acme::Room"): FERRY_CLASS with a wire name that stays when the class moves to another namespace or gets another
/// name. Also for one of two classes that would have one wire name.
#define FERRY_CLASS_NAMED(Class_, wireName_)                                        \
    static constexpr const char* ferryGivenName() noexcept { return #Class_; }      \
    static constexpr const char* ferryClassName() noexcept { return "" wireName_; } \
    FERRY_CLASS_MEMBERS(Class_)

#define FERRY_WIRE_NAME(Class_) ::ferry::detail::wireNameText<Class_>.data()
#define FERRY_CLASS_PLACE \
    static constexpr ::ferry::detail::ClassPlace ferryClassPlace() noexcept { return {__FILE__, __LINE__, __BASE_FILE__}; }

#define FERRY_CLASS_MEMBERS(Class_)                                                                                       \
    FERRY_CLASS_PLACE                                                                                                     \
    ::ferry::detail::ClassId classId() const override { return ::ferry::detail::classIdFor<Class_>; }                     \
    const char* className() const override { return Class_::ferryClassName(); }                                           \
    const std::type_info& classType() const override { return typeid(Class_); }                                           \
    void writeWithClassId(::ferry::IntWriter& out_) const override { ::ferry::detail::writeObject<Class_>(*this, out_); } \
    static void ferryRegister() { ::ferry::detail::registerClass(::ferry::detail::classInfoOf<Class_>()); }               \
    static inline const ::ferry::detail::ClassRegistrar ferryRegistrar{&ferryRegister};

/// FERRY_CLASS in two parts, for a class that many sources include. FERRY_CLASS_DECLARED(Room) is in the class. FERRY_CLASS_DEFINED(Room)
/// is in one source, in the namespace in which the name begins. The generated code is compiled once. The class is registered in every
/// program that links this source, and so in every program that creates an object of the class. The name is found by the compiler of a
/// source that uses it, and not of each source that includes the class: therefore its function is a template.
#define FERRY_CLASS_DECLARED(Class_)                                           \
    static constexpr const char* ferryGivenName() noexcept { return #Class_; } \
    template <class Self_ = Class_>                                            \
    static constexpr const char* ferryClassName() noexcept {                   \
        return FERRY_WIRE_NAME(Self_);                                         \
    }                                                                          \
    FERRY_CLASS_MEMBERS_DECLARED(Class_)

/// FERRY_CLASS_NAMED in two parts. The second part is FERRY_CLASS_DEFINED(Room).
#define FERRY_CLASS_NAMED_DECLARED(Class_, wireName_)                               \
    static constexpr const char* ferryGivenName() noexcept { return #Class_; }      \
    static constexpr const char* ferryClassName() noexcept { return "" wireName_; } \
    FERRY_CLASS_MEMBERS_DECLARED(Class_)

#define FERRY_CLASS_MEMBERS_DECLARED(Class_)                        \
    FERRY_CLASS_PLACE                                               \
    ::ferry::detail::ClassId classId() const override;              \
    const char* className() const override;                         \
    const std::type_info& classType() const override;               \
    void writeWithClassId(::ferry::IntWriter& out_) const override; \
    static void ferryRegister();                                    \
    static const ::ferry::detail::ClassRegistrar ferryRegistrar;

#define FERRY_CLASS_DEFINED(Class_)                                                                                      \
    ::ferry::detail::ClassId Class_::classId() const { return ::ferry::detail::classIdFor<Class_>; }                     \
    const char* Class_::className() const { return Class_::ferryClassName(); }                                           \
    const std::type_info& Class_::classType() const { return typeid(Class_); }                                           \
    void Class_::writeWithClassId(::ferry::IntWriter& out_) const { ::ferry::detail::writeObject<Class_>(*this, out_); } \
    void Class_::ferryRegister() { ::ferry::detail::registerClass(::ferry::detail::classInfoOf<Class_>()); }             \
    const ::ferry::detail::ClassRegistrar Class_::ferryRegistrar{&Class_::ferryRegister};
