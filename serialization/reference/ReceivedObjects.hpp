#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include <ferry/serialization/ints/ClassInfo.hpp>
#include <ferry/serialization/ints/SoleOwner.hpp>
#include <ferry/serialization/reference/ArrayMembers.hpp>
#include <ferry/serialization/reference/ObjectArena.hpp>
#include <ferry/serialization/reference/OwnerForest.hpp>
#include <ferry/serialization/reference/PointeeType.hpp>

namespace ferry {

/// The memory in which the objects of a graph are made.
enum class GraphMemory {
    Heap,     ///< each object with new
    Arena,    ///< many objects in one piece of memory, freed at once; not for objects of a unique_ptr or shared_ptr
};

namespace detail {

/// The objects of an arrived graph, by their numbers from 1 on, and the owner of each: the graph, a pointer with one owner inside the graph
/// (unique_ptr, ferry::owned), or shared_ptrs.
///
/// Ownership: destroys all objects except those of a pointer with one owner. Exception: an object behind shared_ptr stays if it is held
/// from outside of
///            the graph. It also stays if an object held from outside owns it directly or indirectly. Cycles of shared_ptr are destroyed
///            too. The stack depth does not grow with the graph.
class ReceivedObjects {
public:
    explicit ReceivedObjects(GraphMemory memory) noexcept;
    ReceivedObjects(const ReceivedObjects&) = delete;
    ReceivedObjects& operator=(const ReceivedObjects&) = delete;
    ~ReceivedObjects();

    struct Object {
        void* address;
        const PointeeType* type;
    };

    std::uint32_t count() const noexcept { return count_; }
    const Object* all() const noexcept { return objects_.get(); }
    const Object& at(std::uint32_t number) const noexcept { return objects_[number - 1]; }
    GraphMemory memory() const noexcept { return memory_; }

    /// Makes an object that the graph owns.
    template <class T>
    T* make(const PointeeType& type = pointeeType<T>) {
        reservePlace();
        constexpr std::size_t bytes = sizeof(T) + (holdsArrays<T>() ? ByteBehind : 0);
        T* object = memory_ == GraphMemory::Arena ? ::new (arena_.allocate(bytes, alignof(T))) T() : new T();
        objects_[count_++] = {object, &type};
        return object;
    }
    IntSerializableObject* make(const ClassInfo& info);
    /// Makes an array of elementCount elements that the graph owns.
    template <class T>
    T* makeArray(std::size_t elementCount) {
        reservePlace();
        noteElementCount(count_ + 1, elementCount);
        T* first = new T[elementCount]();
        objects_[count_++] = {first, &arrayPointee<T>};
        return first;
    }
    std::size_t elementCountOf(std::uint32_t number) const;

    /// Adds an object that shared_ptrs own.
    void addShared(std::shared_ptr<void> share, void* address, const PointeeType& type);

    enum class Owner { Graph, Unique, Shared };
    Owner ownerOf(std::uint32_t number) const noexcept;

    /// A pointer with one owner inside object `owner` (0: outside of the graph) takes the object from the graph. Returns false and changes
    /// nothing if objects would own each other in a cycle.
    bool giveToUnique(std::uint32_t number, std::uint32_t owner);
    /// The graph gets objects back from pointers with one owner, because reading has failed. addresses: nulls among them are left out; get
    /// another order.
    void takeBack(const void** addresses, std::size_t count) noexcept;
    /// A new shared_ptr takes the object from the graph.
    template <class T>
    std::shared_ptr<T> giveToShared(std::uint32_t number, T* object) {
        startShare(number);
        try {
            std::shared_ptr<T> share(object);
            shares_.back().pointer = share;
            return share;
        } catch (...) {
            forgetShare(number);    // the object has been destroyed
            throw;
        }
    }
    const std::shared_ptr<void>& shareOf(std::uint32_t number) const noexcept { return shares_[claims_[number - 1] - FirstShare].pointer; }

    /// Leaves all objects that the graph owns to the caller, and releases its shares of the objects behind shared_ptr.
    void abandon() noexcept;

private:
    /// In an arena, no object begins where an array inside of another object ends. So a pointer to the end is none to an object.
    static constexpr std::size_t ByteBehind = 1;

    static constexpr std::uint32_t ByGraph = 0;
    static constexpr std::uint32_t ByUnique = 1;
    static constexpr std::uint32_t FirstShare = 2;

    struct Free {
        void operator()(Object* objects) const noexcept { std::free(objects); }
    };
    struct ElementCounts;
    struct Share {
        std::shared_ptr<void> pointer;
        Object object;
    };

    void reservePlace() {
        if (count_ == capacity_) [[unlikely]] {
            grow();
        }
    }
    void grow();
    void noteElementCount(std::uint32_t number, std::size_t elementCount);
    std::uint32_t& claimOf(std::uint32_t number);
    void startShare(std::uint32_t number);
    void forgetShare(std::uint32_t number) noexcept;
    bool cutAll() const noexcept;
    void endOwned(const Object& object) const noexcept;

    GraphMemory memory_;
    std::unique_ptr<Object[], Free> objects_;    // grown by realloc, which can move large blocks without copying
    std::uint32_t count_ = 0;
    std::uint32_t capacity_ = 0;
    ObjectArena arena_;
    std::vector<std::uint32_t> claims_;    // the owner of each object; index: number - 1; only as long as needed
    OwnerForest uniqueOwners_;
    std::vector<Share> shares_;                 // index: claim - FirstShare
    SoleOwner<ElementCounts> elementCounts_;    // null: there is no array
};

}    // namespace detail

}    // namespace ferry
