#pragma once

#include <cstddef>
#include <cstdint>

#include <ferry/serialization/ints/BlockLayout.hpp>

namespace ferry {

/// Arrays of a stream that a reader finds elsewhere than among the ints: they are brought straight to where they belong in the object. The
/// ints keep room for them, so that every place and every count is what it would be; what lies in that room means nothing.
///
/// A place is the address of the first int of an array. Only whole ints of an array are absent: what is left of its bytes is there.
class AbsentArrays {
public:
    AbsentArrays() = default;
    AbsentArrays(const AbsentArrays&) = delete;
    AbsentArrays& operator=(const AbsentArrays&) = delete;

    virtual bool isAt(const std::int32_t* place) const noexcept = 0;
    /// The number of whole ints of the array at this place.
    virtual std::size_t intCountAt(const std::int32_t* place) const = 0;
    /// Brings them to the target, once.
    virtual void fetch(const std::int32_t* place, std::byte* target) = 0;
    /// Brings them to the blocks of which the first element is at this address, once. There must be room for as many ints.
    virtual void fetch(const std::int32_t* place, std::byte* firstElement, const BlockLayout& blocks) = 0;

protected:
    ~AbsentArrays() = default;
};

}    // namespace ferry
