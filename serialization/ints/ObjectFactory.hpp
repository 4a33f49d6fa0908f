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

namespace detail {

/// One registered class.
struct ClassEntry {
    ClassId id = 0;
    std::string name;
};

}    // namespace detail

/// Holds every class that can arrive, and makes objects by class ID.
///
/// Ownership: objects made belong to the caller.
/// Threads: every member may be called from any thread at any time; looking up takes no lock.
/// Errors: UnknownClass from create, createAs and readAs for an ID that is not registered; SerializationError from createAs and readAs for
///         a class that does not derive from the requested base. Two classes with one name or one ID are noted by add() and refused by
///         verify().
class ObjectFactory {
public:
    ObjectFactory() = default;
    ObjectFactory(const ObjectFactory&) = delete;
    ObjectFactory& operator=(const ObjectFactory&) = delete;

    /// The factory to which FERRY_CLASS adds. This factory holds Ferry's own exception classes from the start.
    static ObjectFactory& global();

    /// Adds a class that has FERRY_CLASS. Calling it again has no effect.
    template <class T>
    void add() {
        add(detail::classInfoOf<T>());
    }
    /// Adds a class with this description. Calling it again has no effect.
    void add(const detail::ClassInfo& info);

    std::unique_ptr<IntSerializableObject> create(detail::ClassId id) const { return infoOf(id).create(); }

    /// Makes an object of the class with this ID, which must derive from Base.
    template <class Base>
    std::unique_ptr<Base> createAs(detail::ClassId id) const {
        const Derivation& derivation = derivationOf<Base>(id);
        return castTo<Base>(derivation.info.create(), derivation.baseOffset);
    }

    /// Makes an object of the class with this ID, which must derive from Base, and reads its contents. An error of reading gets the class
    /// name.
    template <class Base>
    std::unique_ptr<Base> readAs(detail::ClassId id, IntReader& in) const {
        const Derivation& derivation = derivationOf<Base>(id);
        const std::ptrdiff_t baseOffset = derivation.baseOffset;    // a copy: reading inner objects may replace the note
        try {
            return castTo<Base>(derivation.info.read(in), baseOffset);
        } catch (...) {
            failContents(id);
        }
    }

    /// Returns the description of the class with this ID, which must derive from Base.
    template <class Base>
    const detail::ClassInfo& requireDerived(detail::ClassId id) const {
        if constexpr (!std::same_as<Base, IntSerializableObject>) static_cast<void>(derivationOf<Base>(id));
        return infoOf(id);
    }

    /// Returns an object of this factory as one of its bases. Errors: SerializationError for a class that does not derive from Base.
    template <class Base>
    Base* castTo(IntSerializableObject& object) const {
        if constexpr (std::same_as<Base, IntSerializableObject>) {
            return &object;
        } else {
            return reinterpret_cast<Base*>(reinterpret_cast<std::byte*>(&object) + derivationOf<Base>(object.classId()).baseOffset);
        }
    }

    bool contains(detail::ClassId id) const noexcept { return find(id) != nullptr; }
    /// The wire name of a class. Returns "unknown class <id>" when the ID is not registered.
    std::string nameOf(detail::ClassId id) const;

    /// All classes, ordered by ID.
    std::vector<detail::ClassEntry> classes() const;
    /// A number that is equal for two factories with the same class names. Different names give the same number with a chance of 2^-64.
    std::uint64_t fingerprint() const;
    /// Throws UsageError when two classes were added under one name, or two names have one ID. The error names the classes.
    void verify() const;

private:
    struct Class {
        detail::ClassInfo info;

        std::uint32_t hash() const noexcept { return static_cast<std::uint32_t>(info.id); }
        bool has(detail::ClassId id) const noexcept { return info.id == id; }
    };

    /// The way from objects of a class to one of its bases.
    struct Derivation {
        detail::ClassInfo info;
        const std::type_info* base = nullptr;
        std::ptrdiff_t baseOffset = 0;    // in bytes from the IntSerializableObject; equal for all objects of exactly this class

        std::uint32_t hash() const noexcept { return static_cast<std::uint32_t>(info.id); }
        bool has(detail::ClassId id, const std::type_info* base_) const noexcept { return info.id == id && base == base_; }
    };

    template <class Base>
    static std::unique_ptr<Base> castTo(std::unique_ptr<IntSerializableObject> object, std::ptrdiff_t baseOffset) noexcept {
        if constexpr (std::same_as<Base, IntSerializableObject>) {
            return object;
        } else {
            return std::unique_ptr<Base>(reinterpret_cast<Base*>(reinterpret_cast<std::byte*>(object.release()) + baseOffset));
        }
    }

    /// A thread's copy of a derivation that it has looked up.
    struct Note {
        std::uint64_t factory = 0;
        Derivation derivation;
    };

    template <class Base>
    const Derivation& derivationOf(detail::ClassId id) const {
        static constinit thread_local std::array<Note, 16> notes;    // index: the ID modulo the size
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

    const detail::ClassInfo* find(detail::ClassId id) const noexcept;
    const detail::ClassInfo& infoOf(detail::ClassId id) const;
    const Derivation& addDerivation(detail::ClassId id, const std::type_info& base, void* (*castObject)(IntSerializableObject&)) const;
    void rememberConflict(const detail::ClassInfo& known, const detail::ClassInfo& added);
    [[noreturn]] void failContents(detail::ClassId id) const;
    static std::uint64_t nextSerial() noexcept;

    const std::uint64_t serial_ = nextSerial();    // unique in the program, even among factories that used the same address
    mutable std::mutex mutex_;                     // guards the members below; looking up takes no lock
    std::deque<std::string> names_;                // owns the text of ClassInfo::name
    std::vector<std::string> conflicts_;
    detail::ReadMostlyTable<Class> classes_;
    mutable detail::ReadMostlyTable<Derivation> derivations_;
};

}    // namespace ferry
