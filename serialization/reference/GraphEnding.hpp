#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/reference/PointeeType.hpp>
#include <ferry/serialization/reference/ReferenceWriter.hpp>

namespace ferry::detail {

/// Cuts the owning pointers between objects before the objects are destroyed. Without this, cycles of shared_ptr would never be destroyed,
/// and long chains of owners would be destroyed by recursion. The functions that write the objects also find their current pointers.
///
/// Objects that are held from outside, and all objects that they own directly or indirectly, stay unchanged (trial deletion: Bacon and
/// Rajan, Concurrent Cycle Collection in Reference Counted Systems, 2001).
class GraphEnding final : private OwnerVisitor {
public:
    /// Adds an object behind shared_ptr. useCount: the number of its shared_ptrs, including one of the caller.
    void addShare(void* object, const PointeeType& type, long useCount);
    /// Adds an object, or elementCount elements of an array, that the caller will destroy.
    void addOwned(void* object, const PointeeType& type, std::size_t elementCount);

    /// Cuts the pointers and destroys the objects of pointers with one owner. Never throws. An object that cannot be visited stays
    /// unchanged.
    void cut() noexcept;

private:
    struct Object {
        void* address = nullptr;
        const PointeeType* type = nullptr;
        std::size_t elementCount = 1;
    };
    struct Share {
        Object object;
        long innerCount = 0;
        long useCount = 0;
        bool isKept = false;
    };
    enum class Purpose { Count, Keep, Cut, FindUncut };

    void visitUnique(void* object, const PointeeType& type, const Owner& owner) override;
    void visitArray(void* first, std::size_t count, const PointeeType& type, const Owner& owner) override;
    void visitShared(const void* identity, const Owner& owner) override;
    void keepWhatIsHeldOutside();
    void cutOwners();
    void visitAll(Purpose purpose);
    void visit(const Object& object, ReferenceWriter& visiting);
    void leaveUncut(const Object& holder, ReferenceWriter& visiting, std::size_t firstEnded) noexcept;

    std::vector<Object> owned_;
    std::vector<Share> shares_;
    boost::unordered_flat_map<const void*, std::size_t> places_;    // index in shares_; key: the identity
    Purpose purpose_ = Purpose::Count;
    std::vector<Object> waiting_;    // still to be visited
    std::vector<Object> ended_;      // objects and arrays of pointers with one owner, to be destroyed
    std::size_t firstUncut_ = 0;     // the entries of ended_ from here on may still have their owner
    bool hasCopies_ = false;         // the object that is visited may have written copies of its owners
    IntBuffer scratch_;
};

}    // namespace ferry::detail
