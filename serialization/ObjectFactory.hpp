#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include <ferry/serialization/ClassInfo.hpp>
#include <ferry/serialization/ReadMostlyTable.hpp>

namespace ferry {

/// One registered class.
struct ClassEntry {
    ClassId id = 0;
    std::string name;
};

/// Knows every class that can arrive, and makes objects by class ID.
///
/// Ownership: objects made belong to the caller.
/// Threads: every member may be called from any thread at any time; looking up takes no lock.
/// Errors: create, createAs and readAs throw UnknownClass for an ID that nobody registered, SerializationError for a class of another
///         kind than was asked for. Two classes under one name or one ID are remembered when they are added and refused by verify().
class ObjectFactory {
public:
    ObjectFactory() = default;
    ObjectFactory(const ObjectFactory&) = delete;
    ObjectFactory& operator=(const ObjectFactory&) = delete;

    /// The factory to which FERRY_CLASS adds. It holds Ferry's own exception classes from the start.
    static ObjectFactory& global();

    /// Adds a class with FERRY_CLASS. Safe to repeat.
    template <class T>
    void add() {
        add(classInfoOf<T>());
    }
    /// Adds a class as described. Safe to repeat.
    void add(const ClassInfo& info);

    std::unique_ptr<IntSerializableObject> create(ClassId id) const { return infoOf(id).create(); }

    /// Makes an object of the class with this ID, which must derive from Base.
    template <class Base>
    std::unique_ptr<Base> createAs(ClassId id) const {
        const Derivation& derivation = derivationOf<Base>(id);
        return derivation.cast<Base>(derivation.info->create());
    }

    /// Makes an object of the class with this ID, which must derive from Base, and reads its contents. Errors of reading learn the class.
    template <class Base>
    std::unique_ptr<Base> readAs(ClassId id, IntReader& in) const {
        const Derivation& derivation = derivationOf<Base>(id);
        return derivation.cast<Base>(readContents(*derivation.info, in));
    }

    bool contains(ClassId id) const noexcept { return find(id) != nullptr; }
    /// The wire name of a class; "unknown class <id>" when nobody registered it.
    std::string nameOf(ClassId id) const;

    /// All classes, ordered by ID.
    std::vector<ClassEntry> classes() const;
    /// A number that two factories share when they hold the same class names (and, but for a chance of 2^-64, only then).
    std::uint64_t fingerprint() const;
    /// Throws UsageError when two classes were added under one name, or two names have one ID; it names them.
    void verify() const;

private:
    struct Class {
        ClassInfo info;

        std::uint32_t hash() const noexcept { return static_cast<std::uint32_t>(info.id); }
        bool has(ClassId id) const noexcept { return info.id == id; }
    };

    /// How objects of a class are reached through pointers to one of its bases.
    struct Derivation {
        const ClassInfo* info;
        const std::type_info* base;
        std::ptrdiff_t baseOffset;    // in bytes from the IntSerializableObject, the same in all objects of exactly this class

        std::uint32_t hash() const noexcept { return static_cast<std::uint32_t>(info->id); }
        bool has(ClassId id, const std::type_info* base_) const noexcept { return info->id == id && base == base_; }

        template <class Base>
        std::unique_ptr<Base> cast(std::unique_ptr<IntSerializableObject> object) const noexcept {
            if constexpr (std::same_as<Base, IntSerializableObject>) {
                return object;
            } else {
                return std::unique_ptr<Base>(reinterpret_cast<Base*>(reinterpret_cast<std::byte*>(object.release()) + baseOffset));
            }
        }
    };

    template <class Base>
    const Derivation& derivationOf(ClassId id) const {
        const Derivation* known = derivations_.find(static_cast<std::uint32_t>(id), id, &typeid(Base));
        if (known != nullptr) [[likely]] {
            return *known;
        }
        return addDerivation(id, typeid(Base), [](IntSerializableObject& object) -> void* { return dynamic_cast<Base*>(&object); });
    }

    const ClassInfo* find(ClassId id) const noexcept;
    const ClassInfo& infoOf(ClassId id) const;
    const Derivation& addDerivation(ClassId id, const std::type_info& base, void* (*castObject)(IntSerializableObject&)) const;
    void rememberConflict(const ClassInfo& known, const ClassInfo& added);
    static std::unique_ptr<IntSerializableObject> readContents(const ClassInfo& info, IntReader& in);

    mutable std::mutex mutex_;         // guards what follows, but for looking up
    std::deque<std::string> names_;    // what ClassInfo::name refers to
    std::vector<std::string> conflicts_;
    detail::ReadMostlyTable<Class> classes_;
    mutable detail::ReadMostlyTable<Derivation> derivations_;
};

}    // namespace ferry
