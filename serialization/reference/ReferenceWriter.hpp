#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include <ferry/serialization/IntWriter.hpp>
#include <ferry/serialization/reference/ElementRanges.hpp>
#include <ferry/serialization/reference/IdentityMap.hpp>
#include <ferry/serialization/reference/PointeeType.hpp>
#include <ferry/serialization/reference/WrittenOwners.hpp>

namespace ferry::detail {

/// A place in a table for each type that is asked for, from 1 on, the same as long as the program runs.
std::uint32_t assignTypeIndex(std::atomic<std::uint32_t>& index) noexcept;

template <class T>
std::uint32_t typeIndex() noexcept {
    static constinit std::atomic<std::uint32_t> index{0};
    const std::uint32_t known = index.load(std::memory_order_relaxed);
    return known != 0 ? known : assignTypeIndex(index);
}

/// Looks at the owning pointers of objects instead of writing them.
class OwnerVisitor {
public:
    /// A pointer inside an object, which the functions change through its address.
    struct Owner {
        void* pointer = nullptr;
        void (*release)(void* pointer) noexcept = nullptr;    ///< unique_ptr: its object is left to the visitor; shared_ptr: its share ends
    };

    virtual void visitUnique(void* object, const PointeeType& type, const Owner& owner) = 0;
    /// identity: the address of the whole object.
    virtual void visitShared(const void* identity, const Owner& owner) = 0;

protected:
    ~OwnerVisitor() = default;
};

/// Numbers the objects of a graph in the order in which pointers to them are met, and keeps those whose contents are still to be written.
///
/// On the wire a pointer is the number of its object, 0 for null (docs/wire-format.md). Objects are never written inside each other, so
/// that a chain of any length needs no stack.
///
/// Ownership: borrows the objects, which must not change until the last is written.
/// Errors: UsageError for pointers that cannot be told apart from others, and for owners that no reader could give back.
class ReferenceWriter {
public:
    /// With a visitor nothing is numbered.
    explicit ReferenceWriter(OwnerVisitor* visitor = nullptr) noexcept : visitor_(visitor) {}
    ReferenceWriter(const ReferenceWriter&) = delete;
    ReferenceWriter& operator=(const ReferenceWriter&) = delete;

    /// Whether objects are written, not only looked at.
    bool isWriting() const noexcept { return visitor_ == nullptr; }

    template <class T>
    void write(IntWriter& out, const T* object) {
        if (object == nullptr) {
            out.writeInt(0);
        } else if (visitor_ == nullptr) [[likely]] {
            writeKnown(out, object, knownOf<T>());
        }
    }

    /// Many pointers, one after the other.
    template <class T>
    void writeAll(IntWriter& out, T* const* objects, std::size_t count) {
        if (visitor_ != nullptr || count == 0) return;
        Known<T>& known = knownOf<T>();
        if (isObject<T> || !known.elements.isEmpty()) {    // some take more than one int
            for (std::size_t i = 0; i < count; ++i) {
                if (objects[i] == nullptr)
                    out.writeInt(0);
                else
                    writeKnown(out, objects[i], known);
            }
            return;
        }
        writeNumbers(out.claim(count), objects, count, known);
    }

    template <class T>
    void writeUnique(IntWriter& out, const std::unique_ptr<T>& pointer) {
        using Value = std::remove_const_t<T>;
        if (pointer == nullptr) {
            out.writeInt(0);
            return;
        }
        if (visitor_ == nullptr) {
            const std::uint32_t number = writeKnown<Value>(out, pointer.get(), knownOf<Value>());
            owners_.addUnique(number, writtenNumber_, typeid(Value));
            return;
        }
        visitor_->visitUnique(const_cast<void*>(pointeeAddress<Value>(pointer.get())), pointeeTypeOf<Value>(),
                              {const_cast<std::unique_ptr<T>*>(&pointer),
                               [](void* owner) noexcept { static_cast<void>(static_cast<std::unique_ptr<T>*>(owner)->release()); }});
    }

    template <class T>
    void writeShared(IntWriter& out, const std::shared_ptr<T>& pointer) {
        if (visitor_ == nullptr || pointer == nullptr) {
            writeHeld<std::remove_const_t<T>>(out, pointer.get());
            return;
        }
        visitor_->visitShared(identityOf(*pointer), {const_cast<std::shared_ptr<T>*>(&pointer),
                                                     [](void* owner) noexcept { static_cast<std::shared_ptr<T>*>(owner)->reset(); }});
    }

    template <class T>
    void writeWeak(IntWriter& out, const std::weak_ptr<T>& pointer) {
        writeHeld<std::remove_const_t<T>>(out, pointer.lock().get());
    }

    /// An array behind a pointer, known by its first element.
    template <class T>
    void writeArray(IntWriter& out, const T* first, std::size_t count) {
        if (first == nullptr || count == 0) {
            out.writeInt(0);
            return;
        }
        if (visitor_ != nullptr) return;    // owned by the graph
        KnownArrays<T>& known = arraysOf<T>();
        Array& array = known.map[first];
        const bool isNew = array.number == 0;
        if (isNew) array = {nextNumber(), count};
        if (array.count != count) failArrayLengths(typeid(T), array.count, count);
        out.writeInt(static_cast<std::int32_t>(array.number));
        if (!isNew) return;
        addPointees(first, count);
        if constexpr (Bulk<T>) {
            out.writeBytes(first, count * sizeof(T));
            writtenWhereMet_.push_back(array.number);
        } else {
            if constexpr (ferry::minInts<T> == 0) out.noteEmptyElements(0, count * sizeof(T));    // as its reader counts them
            waiting_.push_back({first, &arrayPointee<T>, count});
        }
    }

    /// Elements that lie side by side and stay there: pointers may lead to them from now on.
    template <class T>
    void addPointees(const T* first, std::size_t count) {
        if (!isPointee<T> || count == 0 || visitor_ != nullptr) return;
        Known<T>& known = knownOf<T>();
        for (std::size_t i = 0; known.isUsed && i < count; ++i) {
            if (isNumbered(first[i], known)) failLateElements(typeid(T));
        }
        known.elements.add(identityOf(*first), count, sizeof(T), ++vectorCount_);
    }

    bool hasWaiting() const noexcept { return nextWaiting_ != waiting_.size(); }
    /// Writes the contents of the next object.
    void writeNext(IntWriter& out) {
        const Waiting next = waiting_[nextWaiting_];
        fetchAhead();
        if (++nextWaiting_ == waiting_.size()) {
            waiting_.clear();
            nextWaiting_ = 0;
        } else if (nextWaiting_ >= CompactFrom && nextWaiting_ * 2 > waiting_.size()) {
            compact();
        }
        do {
            ++writtenNumber_;
        } while (isWrittenAlready());
        const std::size_t start = out.position();
        next.type->write(out, next.object, next.count);
        if (next.type->minInts == 0 && !next.type->isArray && out.position() == start) out.noteEmptyElements(0, next.type->objectBytes);
    }

    std::size_t objectCount() const noexcept { return count_; }

private:
    static constexpr std::size_t CompactFrom = 65536;

    struct Waiting {
        const void* object;
        const PointeeType* type;
        std::size_t count;
    };

    struct KnownBase {
        virtual ~KnownBase() = default;
    };
    template <class Map>
    struct KnownObjects : KnownBase {
        Map map;
        bool isUsed = false;    ///< objects have been numbered
        ElementRanges elements;
    };
    /// Objects of all classes derived from IntSerializableObject are known together: a pointer may be to any of their bases.
    template <class T>
    using Known =
        KnownObjects<typename std::conditional_t<isObject<T>, std::type_identity<AddressMap<sizeof(void*)>>, IdentityMapFor<T>>::type>;
    struct Array {
        std::uint32_t number = 0;
        std::size_t count = 0;
    };
    template <class T>
    struct KnownArrays : KnownBase {
        boost::unordered_flat_map<const T*, Array> map;
    };

    template <class T>
    static const void* identityOf(const T& object) noexcept {
        if constexpr (isObject<T>)
            return dynamic_cast<const void*>(&object);    // the beginning of the whole object
        else
            return &object;
    }
    /// What the map asks for.
    template <class T>
    static auto identity(const T* object) noexcept {
        if constexpr (isObject<T>)
            return identityOf(*object);
        else
            return object;
    }

    template <class T>
    Known<T>& knownOf() {
        using Key = std::conditional_t<isObject<T>, IntSerializableObject, T>;
        return entry<Known<T>>(typeIndex<Key>());
    }
    template <class T>
    KnownArrays<T>& arraysOf() {
        return entry<KnownArrays<T>>(typeIndex<T[]>());
    }
    template <class Entry>
    Entry& entry(std::uint32_t index) {
        if (index >= known_.size()) [[unlikely]] {
            known_.resize(index + 1);
        }
        if (known_[index] == nullptr) [[unlikely]] {
            known_[index] = std::make_unique<Entry>();
        }
        return static_cast<Entry&>(*known_[index]);
    }

    template <class T>
    std::uint32_t numberOf(const T& object, Known<T>& known) {
        std::uint32_t& number = known.map.numberOf(identity(&object));
        if (number == 0) number = addObject(object, known);
        return number;
    }
    template <class T>
    [[gnu::noinline]] std::uint32_t addObject(const T& object, Known<T>& known) {
        waiting_.push_back({pointeeAddress(&object), &pointeeTypeOf<T>(), 1});
        known.isUsed = true;
        return nextNumber();
    }

    /// The numbers of many objects, none of them an element of a vector.
    template <class T>
    void writeNumbers(std::int32_t* target, T* const* objects, std::size_t count, Known<T>& known) {
        using Map = decltype(known.map);
        const auto write = [&](auto& series) {
            for (std::size_t i = 0; i < count; ++i) {
                if (objects[i] == nullptr) {
                    target[i] = 0;
                    continue;
                }
                std::uint32_t& number = series.numberOf(objects[i]);
                if (number == 0) [[unlikely]] {
                    number = addObject(*objects[i], known);
                }
                target[i] = static_cast<std::int32_t>(number);
            }
        };
        if constexpr (requires { typename Map::Series; }) {
            typename Map::Series series(known.map);
            write(series);
        } else {
            write(known.map);
        }
    }

    template <class T>
    static bool isNumbered(const T& object, Known<T>& known) {
        if constexpr (requires { known.map.find(identity(&object)); })
            return known.map.find(identity(&object)) != 0;
        else
            return known.map.numberOf(identity(&object)) != 0;
    }

    /// The number of the object; 0 for an element of a vector.
    template <class T>
    std::uint32_t writeKnown(IntWriter& out, const T* object, Known<T>& known) {
        if (!known.elements.isEmpty()) [[unlikely]] {
            if (writeElement(out, known.elements, identityOf(*object))) return 0;
        }
        const std::uint32_t countBefore = count_;
        const std::uint32_t number = numberOf(*object, known);
        out.writeInt(static_cast<std::int32_t>(number));
        if constexpr (isObject<T>) {
            if (count_ != countBefore) {
                requireOwnClassId(*object);
                out.writeInt(object->classId());
            }
        }
        return number;
    }

    /// What a shared_ptr or weak_ptr holds.
    template <class T>
    void writeHeld(IntWriter& out, const T* object) {
        if (object == nullptr) {
            out.writeInt(0);
        } else if (visitor_ == nullptr) {
            owners_.addShared(writeKnown(out, object, knownOf<T>()), typeid(T));
        }
    }

    /// Whether the object writtenNumber_ was an array whose elements stand where it was met.
    bool isWrittenAlready() noexcept {
        if (nextWrittenWhereMet_ == writtenWhereMet_.size() || writtenWhereMet_[nextWrittenWhereMet_] != writtenNumber_) return false;
        ++nextWrittenWhereMet_;
        return true;
    }

    /// Objects in the order of their first visit lie anywhere: has the processor fetch them, and then what they own, before their turn.
    void fetchAhead() const noexcept {
        constexpr std::size_t ObjectsAhead = 12;
        constexpr std::size_t ContentsAhead = 6;
        if (nextWaiting_ + ObjectsAhead < waiting_.size()) __builtin_prefetch(waiting_[nextWaiting_ + ObjectsAhead].object);
        if (nextWaiting_ + ContentsAhead < waiting_.size()) {
            const Waiting& waiting = waiting_[nextWaiting_ + ContentsAhead];
            if (waiting.type->fetch != nullptr) waiting.type->fetch(waiting.object);
        }
    }

    std::uint32_t nextNumber() {
        if (count_ == MaxObjects) [[unlikely]] {
            failTooMany();
        }
        return ++count_;
    }

    static bool writeElement(IntWriter& out, const ElementRanges& elements, const void* address);
    void compact();
    [[noreturn]] static void failTooMany();
    [[noreturn]] static void failLateElements(const std::type_info& type);
    [[noreturn]] static void failArrayLengths(const std::type_info& type, std::size_t first, std::size_t second);

    static constexpr std::uint32_t MaxObjects = 0x7ffffffe;

    OwnerVisitor* visitor_;
    std::vector<std::unique_ptr<KnownBase>> known_;    // by typeIndex
    std::vector<Waiting> waiting_;                     // from nextWaiting_ on
    std::size_t nextWaiting_ = 0;
    std::uint32_t count_ = 0;
    std::uint32_t vectorCount_ = 0;
    std::uint32_t writtenNumber_ = 0;               // of the object whose contents are being written
    std::vector<std::uint32_t> writtenWhereMet_;    // numbers of arrays, in their order
    std::size_t nextWrittenWhereMet_ = 0;
    WrittenOwners owners_;
};

}    // namespace ferry::detail
