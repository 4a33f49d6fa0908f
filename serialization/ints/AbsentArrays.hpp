#pragma once

#include <cstddef>
#include <cstdint>

#include <ferry/serialization/ints/BlockLayout.hpp>

namespace ferry::detail {

/// Arrays that are not in the message's ints. The reader fetches each of them directly into the object to which the array belongs. The ints
/// keep room for such an array, so that all places and counts stay the same. The content of that room has no meaning.
///
/// A place is the address of the first int of an array. Only whole ints of an array are absent. The 0 to 3 bytes that remain at its end are
/// in the message.
class AbsentArrays {
public:
    AbsentArrays() = default;
    AbsentArrays(const AbsentArrays&) = delete;
    AbsentArrays& operator=(const AbsentArrays&) = delete;

    virtual bool isAt(const std::int32_t* place) const noexcept = 0;
    /// The number of whole ints of the array at this place.
    virtual std::size_t intCountAt(const std::int32_t* place) const = 0;
    /// Writes the array's ints to the target. To be called once for each place.
    virtual void fetch(const std::int32_t* place, std::byte* target) = 0;
    /// Writes the array's ints to blocks. firstElement: the address of the first element of the blocks. The blocks must have room for
    /// exactly the array's number of ints. To be called once for each place.
    virtual void fetch(const std::int32_t* place, std::byte* firstElement, const BlockLayout& blocks) = 0;

protected:
    ~AbsentArrays() = default;
};

}    // namespace ferry::detail
