#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

#include <ferry/serialization/ClassInfo.hpp>

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
/// Errors: create and createAs throw UnknownClass for an ID that nobody registered, SerializationError for a class of another kind than
///         was asked for. Two classes under one name or one ID are remembered when they are added and refused by verify().
class ObjectFactory {
public:
    ObjectFactory();
    ~ObjectFactory();
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
        std::unique_ptr<IntSerializableObject> object = create(id);
        if constexpr (std::same_as<Base, IntSerializableObject>) {
            return object;
        } else {
            Base* base = dynamic_cast<Base*>(object.get());
            if (base == nullptr) [[unlikely]] {
                failNotDerived(id, typeid(Base));
            }
            static_cast<void>(object.release());
            return std::unique_ptr<Base>(base);
        }
    }

    bool contains(ClassId id) const noexcept { return find(id) != nullptr; }
    /// The wire name of a class; "unknown class <id>" when nobody registered it.
    std::string nameOf(ClassId id) const;

    /// Whether the class with this ID is Base or derives from it. False for an unknown ID. Makes no object.
    template <class Base>
    bool derivesFrom(ClassId id) const {
        return derivesFrom(id, typeid(Base), [](const ClassInfo& info) {
            try {
                info.throwNull();
            } catch (const Base*) {
                return true;
            } catch (...) {}
            return false;
        });
    }

    /// All classes, ordered by ID.
    std::vector<ClassEntry> classes() const;
    /// A number that two factories share when they hold the same class names (and, but for a chance of 2^-64, only then).
    std::uint64_t fingerprint() const;
    /// Throws UsageError when two classes were added under one name, or two names have one ID; it names them.
    void verify() const;

private:
    class Table;

    const ClassInfo* find(ClassId id) const noexcept;
    const ClassInfo& infoOf(ClassId id) const;
    void rememberConflict(const ClassInfo& known, const ClassInfo& added);
    [[noreturn]] void failNotDerived(ClassId id, const std::type_info& base) const;
    bool derivesFrom(ClassId id, const std::type_info& base, bool (*test)(const ClassInfo&)) const;

    mutable std::mutex mutex_;         // guards what follows, but for reading table_
    std::deque<ClassInfo> infos_;      // addresses are stable
    std::deque<std::string> names_;    // what ClassInfo::name refers to
    std::vector<std::string> conflicts_;
    std::vector<std::unique_ptr<Table>> tables_;    // the last one is in use; a reader may still be in an earlier one
    std::atomic<const Table*> table_;
    mutable std::map<std::pair<std::type_index, ClassId>, bool> derived_;
};

}    // namespace ferry
