#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/reference/PointeeType.hpp>
#include <ferry/serialization/reference/ReferenceWriter.hpp>

namespace ferry::detail {

/// Takes the owning pointers between objects apart before they end: circles of shared_ptr would never end, and long chains of owners would
/// end by recursion. It finds them where they are now, by the functions that write the objects.
///
/// What somebody outside holds, and all that it leads to by owning pointers, is left as it is (trial deletion: Bacon and Rajan, Concurrent
/// Cycle Collection in Reference Counted Systems, 2001).
class GraphEnding final : private OwnerVisitor {
public:
    /// An object behind shared_ptr, and how many of those there are, one of them the caller's.
    void addShare(void* object, const PointeeType& type, long useCount);
    /// An object, or so many elements, that the caller is going to end.
    void addOwned(void* object, const PointeeType& type, std::size_t elementCount);

    /// Takes the pointers apart, and ends the objects of unique_ptrs. Never throws: what cannot be visited is left as it is.
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
    enum class Purpose { Count, Keep, Cut };

    void visitUnique(void* object, const PointeeType& type, const Owner& owner) override;
    void visitShared(const void* identity, const Owner& owner) override;
    void keepWhatIsHeldOutside();
    void cutOwners();
    void visitAll(Purpose purpose);

    std::vector<Object> owned_;
    std::vector<Share> shares_;
    boost::unordered_flat_map<const void*, std::size_t> places_;    // in shares_, by identity
    Purpose purpose_ = Purpose::Count;
    std::vector<Object> waiting_;    // to be visited
    std::vector<Object> ended_;      // of unique_ptrs
    IntBuffer scratch_;
};

}    // namespace ferry::detail
