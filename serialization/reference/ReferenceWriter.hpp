#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/SoleOwner.hpp>
#include <ferry/serialization/reference/ArrayMembers.hpp>
#include <ferry/serialization/reference/BlockElements.hpp>
#include <ferry/serialization/reference/BlockSearch.hpp>
#include <ferry/serialization/reference/ElementRanges.hpp>
#include <ferry/serialization/reference/KnownObjects.hpp>
#include <ferry/serialization/reference/OwnerVisitor.hpp>
#include <ferry/serialization/reference/PointeeType.hpp>
#include <ferry/serialization/reference/PointerVisitor.hpp>
#include <ferry/serialization/reference/WrittenOwners.hpp>

namespace ferry::detail {

/// Numbers the objects of a graph in the order in which pointers to them are met. Keeps a list of objects whose contents are still to be
/// written.
///
/// On the wire a pointer is the number of its object, or 0 for null (docs/wire-format.md). Objects are never written inside each other, so
/// that a chain of any length needs no stack.
///
/// Ownership: borrows the objects, which must not change until the last one is written.
/// Errors: UsageError for ambiguous pointers, and for ownership that no reader could restore.
class ReferenceWriter {
public:
    /// With a visitor, no object is numbered.
    explicit ReferenceWriter(OwnerVisitor* visitor = nullptr) noexcept : visitor_(visitor) {}
    /// For a visitor of every pointer. Such a writer also knows the blocks that it has met.
    explicit ReferenceWriter(PointerVisitor& finder) noexcept : visitor_(&finder), finder_(&finder) {}
    ReferenceWriter(const ReferenceWriter&) = delete;
    ReferenceWriter& operator=(const ReferenceWriter&) = delete;

    /// viewed: the objects of its class travel by it; null: all objects travel whole. To be called before the first object.
    void setViewed(const PointeeType* viewed) noexcept { viewed_ = viewed; }
    /// To be called after setViewed(), and before the pointer to the root is written.
    template <class T>
    void setRoot(const T* root) {
        if (root != nullptr) search_.setRoot(pointeeAddress(root), *typeToWrite<T>());
    }

    /// Whether objects are written. False: they are only visited.
    bool isWriting() const noexcept { return visitor_ == nullptr; }

    template <class T>
    void write(IntWriter& out, const T* object) {
        static_cast<void>(&markRawPointerUse<T>);
        if (object == nullptr) {
            out.writeInt(0);
        } else if (visitor_ == nullptr) [[likely]] {
            writeKnown(out, object, knownOf<T>(), Holder::Raw);
        } else if (finder_ != nullptr) {
            findRaw(object);
        }
    }

    /// Writes `count` pointers, one after the other.
    template <class T>
    void writeAll(IntWriter& out, T* const* objects, std::size_t count) {
        static_cast<void>(&markRawPointerUse<T>);
        if (visitor_ != nullptr) {
            for (std::size_t i = 0; i < count && finder_ != nullptr; ++i) write(out, static_cast<const T*>(objects[i]));
            return;
        }
        if (count == 0) return;
        Known<T>& known = knownOf<T>();
        // Some pointers take more than one int, or must be looked at before their objects.
        if (isObject<T> || !known.elements.isEmpty() || (isReadWhenMet<T> && mayBeElement<T>())) {
            for (std::size_t i = 0; i < count; ++i) {
                if (objects[i] == nullptr)
                    out.writeInt(0);
                else
                    writeKnown(out, objects[i], known, Holder::Raw);
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
            const std::uint32_t number = writeKnown<Value>(out, pointer.get(), knownOf<Value>(), Holder::Owner);
            owners_.addUnique(number, writtenNumber_, typeid(Value));
            return;
        }
        if (finder_ != nullptr) return findHeld<Value>(pointer.get());
        visitor_->visitUnique(const_cast<void*>(pointeeAddress<Value>(pointer.get())), pointeeTypeOf<Value>(),
                              {const_cast<std::unique_ptr<T>*>(&pointer),
                               [](void* owner) noexcept { static_cast<void>(static_cast<std::unique_ptr<T>*>(owner)->release()); }});
    }

    /// Writes an owning raw pointer (ferry::owned). field: where it stands, or null.
    template <class T>
    void writeOwned(IntWriter& out, T* const& pointer, const OwnerField* field) {
        using Value = std::remove_const_t<T>;
        if (pointer == nullptr) {
            out.writeInt(0);
        } else if (visitor_ == nullptr) {
            const std::uint32_t number = writeKnown<Value>(out, pointer, knownOf<Value>(), Holder::Owner);
            owners_.addOwned(number, writtenNumber_, typeid(Value), field);
        } else if (finder_ != nullptr) {
            findHeld<Value>(pointer);
        } else {
            visitor_->visitUnique(
                const_cast<void*>(pointeeAddress<Value>(pointer)), pointeeTypeOf<Value>(),
                {const_cast<T**>(&pointer), [](void* owner) noexcept { *static_cast<T**>(owner) = nullptr; }, field != nullptr});
        }
    }

    template <class T>
    void writeShared(IntWriter& out, const std::shared_ptr<T>& pointer) {
        if (visitor_ == nullptr || finder_ != nullptr || pointer == nullptr) {
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

    /// Writes an array behind a pointer. The first element identifies the array. Returns its number.
    template <class T>
    std::uint32_t writeArray(IntWriter& out, const T* first, std::size_t count) {
        if (first == nullptr || count == 0) {
            out.writeInt(0);
            if (first != nullptr) addPointees(first, 0, {});
            return 0;
        }
        if (visitor_ != nullptr) {    // the graph owns the array
            if (finder_ != nullptr) findArray(first, count);
            return 0;
        }
        KnownArray& array = arraysOf<T>().at(first);
        const bool isNew = array.number == 0;
        if (isNew) array = {nextNumber(), count};
        if (array.count != count) failArrayLengths(typeid(T), array.count, count);
        const std::uint32_t number = array.number;
        out.writeInt(static_cast<std::int32_t>(number));
        if (!isNew) return number;
        addPointees(first, count, {});
        if constexpr (Bulk<T>) {
            out.writeElements<grainBytes<T>>(first, count * sizeof(T));
            writtenWhereMet_.push_back(number);
        } else {
            if constexpr (ferry::detail::minInts<T> == 0) out.noteEmptyElements(0, count * sizeof(T));    // as ReferenceReader counts them
            waiting_.push_back({first, &arrayPointee<T>, count});
        }
        return number;
    }

    /// Writes an owning pointer to an array (ferry::ownedArray). field: where it stands, or null.
    template <class T>
    void writeOwnedArray(IntWriter& out, const T* first, std::size_t count, const OwnerField* field) {
        const std::uint32_t number = writeArray(out, first, count);
        if (number != 0) owners_.addOwned(number, writtenNumber_, typeid(T[]), field);
    }
    /// Shows an owned array to the visitor.
    template <class T>
    void visitOwnedArray(T* first, std::size_t count, const OwnerVisitor::Owner& owner) {
        if (finder_ != nullptr) return findArray(first, count);
        visitor_->visitArray(const_cast<std::remove_const_t<T>*>(first), count, arrayPointee<std::remove_const_t<T>>, owner);
    }

    /// Adds elements that lie side by side and keep their addresses. From now on, pointers may point to them and to their end.
    template <class T>
    void addPointees(const T* first, std::size_t count, const RoomBehind& room) {
        if constexpr (isPointee<T>) {
            static_cast<void>(&markElementUse<T>);
            if (first == nullptr || !collectsBlocks()) return;
            count == 0 ? addEmpty(first, room) : addBlock(first, count, room);
        } else if constexpr (std::is_class_v<T>) {
            if (first == nullptr) return;
            addUnnumbered(first, count);
            addArraysOf(first, count);
        }
    }

    /// Adds elements that lie side by side but that a graph cannot identify. A pointer to their end is refused.
    template <class T>
    void addUnnumbered(const T* first, std::size_t count) {
        addUnnumberedBlock(first, count);
        if (isEndMet_) [[unlikely]] {
            isEndMet_ = false;
            requireEndNotMet(first, count);
        }
    }
    /// Adds the arrays among the fields of objects that lie side by side. Where a member follows an array immediately, a pointer leads to
    /// the member.
    template <class T>
    void addArraysOf(const T* first, std::size_t count) {
        if constexpr (holdsArrays<T>()) {
            if (!collectsBlocks()) return;
            for (std::size_t i = 0; i < count; ++i) {
                visitArrays(first[i], [this](const auto* array, std::size_t length) { this->addUnnumberedBlock(array, length); });
                visitMembers(first[i], [this](const auto& member) { this->noteMember(member); });
            }
            if (isEndMet_) [[unlikely]] {    // members that follow an array are known only now
                isEndMet_ = false;
                for (std::size_t i = 0; i < count; ++i)
                    visitArrays(first[i], [this](const auto* array, std::size_t length) { this->requireEndNotMet(array, length); });
            }
        }
    }

    bool hasWaiting() const noexcept { return nextWaiting_ != waiting_.size(); }
    /// Writes the contents of the next object.
    void writeNext(IntWriter& out) {
        const Waiting next = waiting_[nextWaiting_];
        written_ = next;
        fetchAhead();
        const bool wasLast = ++nextWaiting_ == waiting_.size();
        if (nextWaiting_ >= (wasLast ? 2 * RememberedCount : CompactFrom) && nextWaiting_ * 2 > waiting_.size()) forgetWritten();
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
    static constexpr std::size_t RememberedCount = 64;    // at least this number of written objects stays in waiting_, for noteWaiting

    struct Waiting {
        const void* object = nullptr;
        const PointeeType* type = nullptr;
        std::size_t count = 0;
    };

    /// The kind of pointer that reaches an object. An owner never points to the end of a block.
    enum class Holder { Raw, Owner };

    template <class T>
    Known<T>& knownOf() {
        using Key = std::conditional_t<isObject<T>, IntSerializableObject, T>;
        return entry<Known<T>>(typeIndex<Key>());
    }
    template <class T>
    KnownArrays& arraysOf() {
        return entry<KnownArrays>(typeIndex<T[]>());
    }
    template <class Entry>
    [[gnu::always_inline]] Entry& entry(std::uint32_t index) {
        if (index >= known_.size() || known_[index] == nullptr) [[unlikely]]
            addEntry<Entry>(index);
        return static_cast<Entry&>(*known_[index]);
    }
    template <class Entry>
    [[gnu::noinline]] void addEntry(std::uint32_t index) {
        if (index >= known_.size()) known_.resize(index + 1);
        known_[index] = SoleOwner<KnownBase>::make<Entry>();
    }

    /// How the contents of an object travel.
    template <class T>
    const PointeeType* typeToWrite() const noexcept {
        if constexpr (!isObject<T>) {
            if (viewed_ != nullptr && *viewed_->type == typeid(T)) return viewed_;
        }
        return &pointeeTypeOf<T>();
    }

    template <class T>
    std::uint32_t numberOf(const T& object, Known<T>& known, Holder holder) {
        std::uint32_t& number = known.map.numberOf(identityForMap(std::addressof(object)));
        if (number == 0) number = addObject(object, known, holder);
        return number;
    }
    template <class T>
    [[gnu::noinline]] std::uint32_t addObject(const T& object, Known<T>& known, Holder holder) {
        if constexpr (!isReadWhenMet<T>) {
            if (isDoubtful<T>(holder)) [[unlikely]]
                requireObject(std::addressof(object));
        }
        waiting_.push_back({pointeeAddress(std::addressof(object)), typeToWrite<T>(), 1});
        known.isUsed = true;
        if (!known.elements.isEmpty()) known.noteObject(identityOf(object));
        return nextNumber();
    }

    /// Writes the numbers of `count` objects. None of them may be an element of a vector.
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
                    number = addObject(*objects[i], known, Holder::Raw);
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
    static ElementRanges::Range rangeOf(const T* first, std::size_t count, std::uint32_t number) noexcept {
        const auto begin = reinterpret_cast<std::uintptr_t>(identityOf(*first));
        return {begin, begin + count * sizeof(T), sizeof(T), number, pointeeAddress(first)};
    }
    template <class T>
    void noteMember(const T& member) {
        if (hasRawPointers<T>()) knownOf<T>().elements.noteMember(identityOf(member));
    }

    template <class T>
    void addBlock(const T* first, std::size_t count, const RoomBehind& room) {
        Known<T>& known = knownOf<T>();
        if (known.isUsed) {
            noteWaiting<T>(known);
            for (std::size_t i = 0; i < count; ++i) {
                if (isNumbered(first[i], known)) failLateElements(typeid(T));
            }
            if (room.memory != BlockMemory::Anywhere) requireNoneIn(first + count, room, known);
        }
        ElementRanges::Range range = rangeOf(first, count, ++vectorCount_);
        if (room.count != 0) range.memoryEnd = range.end + room.count * sizeof(T);
        known.elements.add(range);
        addArraysOf(first, count);
    }
    template <class T>
    void addUnnumberedBlock(const T* first, std::size_t count) {
        static_cast<void>(&markElementUse<T>);
        if (count == 0 || !collectsBlocks() || !hasRawPointers<T>()) return;
        Known<T>& known = knownOf<T>();
        const ElementRanges::Range range = rangeOf(first, count, 0);
        if (known.isUsed) {
            noteWaiting<T>(known);
            isEndMet_ |= known.isObjectAt(reinterpret_cast<const void*>(range.end));
        }
        if constexpr (isObject<T>)
            known.elements.addUnnumbered(range);
        else
            known.elements.addUnnumbered(first, count * sizeof(T));
    }
    /// Errors: UsageError when an object was met at the end of elements without numbers, and nothing else begins there.
    template <class T>
    void requireEndNotMet(const T* first, std::size_t count) {
        if (count == 0 || !hasRawPointers<T>()) return;
        Known<T>& known = knownOf<T>();
        const auto* end = reinterpret_cast<const void*>(rangeOf(first, count, 0).end);
        if (known.isObjectAt(end) && known.elements.findBehind(end).kind == ElementRanges::Behind::Kind::UnknownEnd)
            failUnknownEnd(typeid(T));
    }
    template <class T>
    void addEmpty(const T* first, const RoomBehind& room) {
        Known<T>& known = knownOf<T>();
        if (known.isUsed) {
            noteWaiting<T>(known);
            if (room.memory == BlockMemory::Spare) requireNoneIn(first, room, known);
        }
        const bool hasRoom = room.memory == BlockMemory::Spare;
        known.elements.addEmpty(first, hasRoom || isObject<T> ? sizeof(T) : 1, room.memory, room.count * sizeof(T));
    }
    /// Errors: UsageError when an object was met in the memory of a vector behind its elements, or at the end of this memory.
    template <class T>
    void requireNoneIn(const T* end, const RoomBehind& room, Known<T>& known) {
        for (std::size_t i = 0; i <= room.count; ++i) {
            if (known.isObjectAt(end + i)) failLateElements(typeid(T));
        }
    }
    /// To be called before the first block of a type is added: notes the objects that have just been met.
    template <class T>
    void noteWaiting(Known<T>& known) {
        if (!known.elements.isEmpty()) return;
        const auto note = [&known](const Waiting& waiting) {
            if (waiting.type == &objectPointee && isObject<T>)
                known.noteObject(identityOf(*static_cast<const IntSerializableObject*>(waiting.object)));
            else if (waiting.type != nullptr && !waiting.type->isArray && *waiting.type->type == typeid(T))
                known.noteObject(waiting.object);
        };
        note(written_);
        for (const Waiting& waiting : waiting_) note(waiting);
    }

    /// Returns the information of the blocks that are known about the place to which a pointer leads. At the end of a block, reads no
    /// memory.
    template <class T>
    static ElementRanges::Behind findBehind(const T* pointer, Known<T>& known) {
        using Kind = ElementRanges::Behind::Kind;
        ElementRanges::Behind behind = known.elements.findBehind(pointer);
        if (behind.kind == Kind::End && !isEndAsSeenBy<T>(behind)) behind = {};
        if constexpr (isObject<T>) {
            if (behind.kind == Kind::Elsewhere) behind = known.elements.findBehindUnnumbered(pointer);
            if (behind.kind == Kind::UnknownEnd && behind.range != nullptr && !isEndAsSeenBy<T>(behind)) behind = {};
        }
        return behind;
    }
    /// Returns the kind of that place, for a pointer that no writer has met. An object that is known to begin there is Elsewhere.
    template <class T>
    ElementRanges::Behind::Kind findKind(const T* pointer) {
        Known<T>& known = knownOf<T>();
        if (known.elements.isEmpty()) return ElementRanges::Behind::Kind::Elsewhere;
        const ElementRanges::Behind behind = findBehind(pointer, known);
        const bool isThere = known.isObjectAt(reinterpret_cast<const std::byte*>(pointer) - behind.offset);
        return isThere && behind.kind != ElementRanges::Behind::Kind::Element ? ElementRanges::Behind::Kind::Elsewhere : behind.kind;
    }
    /// Whether a pointer to no known object may lead to the end of a block that comes later. Then the memory there belongs to others.
    template <class T>
    static bool isDoubtful(Holder holder) noexcept {
        return holder == Holder::Raw && mayBeElement<T>();
    }
    /// To be called before the object of a doubtful pointer is read. Errors: UsageError for the end of a block.
    template <class T>
    [[gnu::noinline]] void requireObject(const T* object) {
        using Kind = ElementRanges::Behind::Kind;
        if (count_ == 0) return;    // the root
        switch (search_.blocks(viewed_).findKind(object)) {
            case Kind::Element:
            case Kind::Elsewhere: return;
            case Kind::UnknownEnd: failUnknownEnd(typeid(T));
            case Kind::EmptyArray: failEmptyArray(typeid(T));
            default: failLateElements(typeid(T));
        }
    }

    /// Shows the object of an owner to the finder.
    template <class T>
    void findHeld(const T* object) {
        if (mayBeElement<T>()) knownOf<T>().noteObject(identityOf(*object));
        finder_->add(pointeeAddress(object), *typeToWrite<T>(), 1);
    }
    /// Shows the object of a raw pointer to the finder. The object is not read if it could be the end of a block that comes later.
    template <class T>
    void findRaw(const T* object) {
        if (!mayBeElement<T>()) {
            finder_->add(pointeeAddress(object), *typeToWrite<T>(), 1);
            return;
        }
        finder_->addDoubtful(object, *typeToWrite<T>(), [](ReferenceWriter& blocks, const void* address) -> const void* {
            const auto* pointee = static_cast<const T*>(address);
            return blocks.findKind(pointee) == ElementRanges::Behind::Kind::Elsewhere ? pointeeAddress(pointee) : nullptr;
        });
    }
    /// Shows an array behind a pointer to the finder.
    template <class T>
    void findArray(const T* first, std::size_t count) {
        using Element = std::remove_const_t<T>;
        if (finder_->add(first, arrayPointee<Element>, count)) addPointees<Element>(first, count, {});
    }

    /// Handles a pointer to an element of a block, or to the end of a block where no object begins. Writes or refuses it and returns true.
    /// Returns false for other pointers. At the end of a block, reads no memory.
    template <class T>
    bool writePlace(IntWriter& out, const T* pointer, Known<T>& known, Holder holder) {
        using Kind = ElementRanges::Behind::Kind;
        const ElementRanges::Behind behind = findBehind(pointer, known);
        if (behind.kind == Kind::Element) {
            const auto begin = isObject<T> ? reinterpret_cast<std::uintptr_t>(identityOf(*pointer)) - behind.range->begin : behind.offset;
            writeElement(out, ElementRanges::elementAt(*behind.range, begin));
            return true;
        }
        if (behind.kind == Kind::Elsewhere) return false;
        const void* begin = reinterpret_cast<const std::byte*>(pointer) - behind.offset;
        if (known.isObjectAt(begin)) return false;
        if (holder == Holder::Owner) {
            if (behind.range != nullptr && behind.range->isEndWritten) failEndOfOwned(typeid(T));
            return false;
        }
        switch (behind.kind) {
            case Kind::End:
                behind.range->isEndWritten = true;
                writeElement(out, {behind.range->number, behind.range->count()});
                return true;
            case Kind::Nothing: out.writeInt(0); return true;
            case Kind::Spare: failSpareMemory(typeid(T));
            case Kind::EmptyArray:
                if (isNumberedAddress<T>(begin, known)) return false;
                failEmptyArray(typeid(T));
            default: failUnknownEnd(typeid(T));
        }
    }

    /// Writes the number of the object and returns it. Returns 0 for an element of a vector.
    template <class T>
    std::uint32_t writeKnown(IntWriter& out, const T* object, Known<T>& known, Holder holder) {
        if (!known.elements.isEmpty() && writePlace(out, object, known, holder)) [[unlikely]]
            return 0;
        const std::uint32_t countBefore = count_;
        if constexpr (isReadWhenMet<T>) {
            if (isDoubtful<T>(holder)) [[unlikely]]
                requireObject(object);
        }
        const std::uint32_t number = numberOf(*object, known, holder);
        out.writeInt(static_cast<std::int32_t>(number));
        if constexpr (isObject<T>) {
            if (count_ != countBefore) {
                requireOwnClassId(*object);
                out.writeInt(object->classId());
            }
        }
        return number;
    }

    /// Writes the object of a shared_ptr or weak_ptr.
    template <class T>
    void writeHeld(IntWriter& out, const T* object) {
        if (object == nullptr) {
            out.writeInt(0);
        } else if (finder_ != nullptr) {
            findHeld(object);
        } else if (visitor_ == nullptr) {
            owners_.addShared(writeKnown(out, object, knownOf<T>(), Holder::Owner), typeid(T));
        }
    }

    /// Whether object writtenNumber_ is an array whose elements were written at the first pointer to it.
    bool isWrittenAlready() noexcept {
        if (nextWrittenWhereMet_ == writtenWhereMet_.size() || writtenWhereMet_[nextWrittenWhereMet_] != writtenNumber_) return false;
        ++nextWrittenWhereMet_;
        return true;
    }

    /// Objects in the order of their first visit may lie anywhere in memory. So this prefetches each object some steps before its turn, and
    /// then the memory that it owns.
    void fetchAhead() const noexcept {
        constexpr std::size_t ObjectsAhead = 12;
        constexpr std::size_t ContentsAhead = 6;
        if (nextWaiting_ + ObjectsAhead < waiting_.size()) __builtin_prefetch(waiting_[nextWaiting_ + ObjectsAhead].object);
        if (nextWaiting_ + ContentsAhead < waiting_.size()) {
            const Waiting& waiting = waiting_[nextWaiting_ + ContentsAhead];
            if (&waiting.type->fetch != &fetchNothing) waiting.type->fetch(waiting.object);    // avoids the call
        }
    }

    std::uint32_t nextNumber() {
        if (count_ == MaxObjects) [[unlikely]] {
            failTooMany();
        }
        return ++count_;
    }

    static void writeElement(IntWriter& out, const ElementRanges::Element& element);
    void forgetWritten();
    [[noreturn]] static void failTooMany();
    [[noreturn]] static void failLateElements(const std::type_info& type);
    [[noreturn]] static void failEndOfOwned(const std::type_info& type);
    [[noreturn]] static void failEmptyArray(const std::type_info& type);
    [[noreturn]] static void failUnknownEnd(const std::type_info& type);
    [[noreturn]] static void failSpareMemory(const std::type_info& type);
    [[noreturn]] static void failArrayLengths(const std::type_info& type, std::size_t first, std::size_t second);

    static constexpr std::uint32_t MaxObjects = 0x7ffffffe;

    bool collectsBlocks() const noexcept { return visitor_ == nullptr || finder_ != nullptr; }

    OwnerVisitor* visitor_;
    PointerVisitor* finder_ = nullptr;
    const PointeeType* viewed_ = nullptr;
    std::vector<SoleOwner<KnownBase>> known_;    // index: typeIndex
    std::vector<Waiting> waiting_;               // before nextWaiting_: objects that are written
    std::size_t nextWaiting_ = 0;
    std::uint32_t count_ = 0;
    std::uint32_t vectorCount_ = 0;
    Waiting written_;                               // the object whose contents are being written
    std::uint32_t writtenNumber_ = 0;               // number of the object whose contents are being written
    std::vector<std::uint32_t> writtenWhereMet_;    // numbers of arrays, in ascending order
    std::size_t nextWrittenWhereMet_ = 0;
    WrittenOwners owners_;
    BlockSearch search_;
    bool isEndMet_ = false;    // an object was met where elements without numbers end
};

template <class T>
void noteArraysOf(IntWriter& out, const T& object) {
    if constexpr (holdsArrays<T>()) {
        if (out.references() != nullptr) out.references()->addArraysOf(std::addressof(object), 1);
    }
}

/// Adds elements of a part of an object, if a graph is being written.
template <class T>
void noteUnnumbered(const IntWriter& out, const T* first, std::size_t count) {
    if constexpr (std::is_class_v<T>) {
        if (out.references() != nullptr) out.references()->addUnnumbered(first, count);
    }
}

}    // namespace ferry::detail
