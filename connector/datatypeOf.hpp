#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include <ferry/connector/collective/host/PlainData.hpp>
#include <ferry/connector/transport/mpi/MpiTransport.hpp>
#include <ferry/serialization/codec/View.hpp>
#include <ferry/serialization/ints/BlockLayout.hpp>

namespace ferry {

namespace detail {

/// The compiler's error for a member that is no plain data.
template <class Member>
struct DatatypeMember {
    static constexpr bool isPlain = std::is_array_v<Member> ? PlainData<std::remove_all_extents_t<Member>> : PlainData<Member>;
    static_assert(isPlain,
                  "ferry: ferry::datatypeOf takes a view of plain members (see Member): a member of varying size, a pointer or a bool of a "
                  "std::vector has no datatype of MPI; send it with connector.send(to, ferry::part<View>(object))");
};

/// Adds the places of the view's members, in bytes from the beginning of the whole object.
template <class T, auto... Members>
void addPlaces(BlockLayout& blocks, const std::byte* whole, const T& object, const View<Members...>&);

template <class T, class Class, class Member>
void addPlace(BlockLayout& blocks, const std::byte* whole, const T& object, Member Class::*member) {
    static_cast<void>(DatatypeMember<Member>::isPlain);
    blocks.addRun(reinterpret_cast<const std::byte*>(std::addressof(object.*member)) - whole, sizeof(Member));
}
template <class T, auto Member, class ViewOfMember>
void addPlace(BlockLayout& blocks, const std::byte* whole, const T& object, const InsideOf<Member, ViewOfMember>&) {
    using Inner = std::remove_cvref_t<decltype(object.*Member)>;
    if constexpr (std::is_same_v<ViewOfMember, Whole>) {
        addPlace(blocks, whole, object, Member);
    } else if constexpr (std::is_array_v<Inner>) {
        for (const auto& element : object.*Member) addPlaces(blocks, whole, element, ViewOfMember());
    } else {
        addPlaces(blocks, whole, object.*Member, ViewOfMember());
    }
}

template <class T, auto... Members>
void addPlaces(BlockLayout& blocks, const std::byte* whole, const T& object, const View<Members...>&) {
    (addPlace(blocks, whole, object, Members), ...);
}

MPI_Datatype makeDatatype(const BlockLayout& blocks);

}    // namespace detail

/// Makes a datatype of MPI for the members of an object that the view shows, for the program's own calls of MPI:
///
///     MPI_Datatype type = ferry::datatypeOf<Place>(mass);
///     MPI_Send(&mass, 1, type, 1, 0, MPI_COMM_WORLD);
///
/// The object is a sample of its class. The datatype counts elements of an array of the class, too. It moves bytes, so all ranks are
/// machines of one kind. The members are plain data; others do not compile. The caller frees the datatype by MPI_Type_free. MPI must be
/// initialised. Errors: MpiError.
template <class ViewOfObject, class T>
MPI_Datatype datatypeOf(const T& sample) {
    detail::BlockLayout blocks;
    blocks.elementCount = 1;
    blocks.strideBytes = sizeof(T);
    detail::addPlaces(blocks, reinterpret_cast<const std::byte*>(std::addressof(sample)), sample, ViewOfObject());
    return detail::makeDatatype(blocks);
}

}    // namespace ferry
