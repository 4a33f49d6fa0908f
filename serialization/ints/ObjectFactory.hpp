#pragma once

#include <array>
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

#include <ferry/serialization/ints/ClassInfo.hpp>
#include <ferry/serialization/ints/ReadMostlyTable.hpp>

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
        return castTo<Base>(derivation.info.create(), derivation.baseOffset);
    }

    /// Makes an object of the class with this ID, which must derive from Base, and reads its contents. Errors of reading learn the class.
    template <class Base>
    std::unique_ptr<Base> readAs(ClassId id, IntReader& in) const {
        const Derivation& derivation = derivationOf<Base>(id);
        const std::ptrdiff_t baseOffset = derivation.baseOffset;    // the note changes when objects inside this one are read
        try {
            return castTo<Base>(derivation.info.read(in), baseOffset);
        } catch (...) {
            failContents(id);
        }
    }

    /// The facts about the class with this ID, which must derive from Base.
    template <class Base>
    const ClassInfo& requireDerived(ClassId id) const {
        if constexpr (!std::same_as<Base, IntSerializableObject>) static_cast<void>(derivationOf<Base>(id));
        return infoOf(id);
    }

    /// An object that this factory has made, as one of its bases. Errors: SerializationError for a class of another kind.
    template <class Base>
    Base* castTo(IntSerializableObject& object) const {
        if constexpr (std::same_as<Base, IntSerializableObject>) {
            return &object;
        } else {
            return reinterpret_cast<Base*>(reinterpret_cast<std::byte*>(&object) + derivationOf<Base>(object.classId()).baseOffset);
        }
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
        ClassInfo info;
        const std::type_info* base = nullptr;
        std::ptrdiff_t baseOffset = 0;    // in bytes from the IntSerializableObject, the same in all objects of exactly this class

        std::uint32_t hash() const noexcept { return static_cast<std::uint32_t>(info.id); }
        bool has(ClassId id, const std::type_info* base_) const noexcept { return info.id == id && base == base_; }
    };

    template <class Base>
    static std::unique_ptr<Base> castTo(std::unique_ptr<IntSerializableObject> object, std::ptrdiff_t baseOffset) noexcept {
        if constexpr (std::same_as<Base, IntSerializableObject>) {
            return object;
        } else {
            return std::unique_ptr<Base>(reinterpret_cast<Base*>(reinterpret_cast<std::byte*>(object.release()) + baseOffset));
        }
    }

    /// A thread's own note of a derivation that it has looked up.
    struct Note {
        std::uint64_t factory = 0;
        Derivation derivation;
    };

    template <class Base>
    const Derivation& derivationOf(ClassId id) const {
        static constinit thread_local std::array<Note, 16> notes;    // by the last bits of the ID
        Note& note = notes[static_cast<std::uint32_t>(id) % notes.size()];
        if (note.derivation.info.id == id && note.factory == serial_) [[likely]] {
            return note.derivation;
        }
        const Derivation* known = derivations_.find(static_cast<std::uint32_t>(id), id, &typeid(Base));
        if (known == nullptr) {
            known = &addDerivation(id, typeid(Base), [](IntSerializableObject& object) -> void* { return dynamic_cast<Base*>(&object); });
        }
        note = {serial_, *known};
        return note.derivation;
    }

    const ClassInfo* find(ClassId id) const noexcept;
    const ClassInfo& infoOf(ClassId id) const;
    const Derivation& addDerivation(ClassId id, const std::type_info& base, void* (*castObject)(IntSerializableObject&)) const;
    void rememberConflict(const ClassInfo& known, const ClassInfo& added);
    [[noreturn]] void failContents(ClassId id) const;
    static std::uint64_t nextSerial() noexcept;

    const std::uint64_t serial_ = nextSerial();    // no other factory of the program has it, not even at the same address
    mutable std::mutex mutex_;                     // guards what follows, but for looking up
    std::deque<std::string> names_;                // what ClassInfo::name refers to
    std::vector<std::string> conflicts_;
    detail::ReadMostlyTable<Class> classes_;
    mutable detail::ReadMostlyTable<Derivation> derivations_;
};

}    // namespace ferry
