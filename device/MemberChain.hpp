#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <typeinfo>

namespace ferry {

namespace detail {

/// Errors: UsageError that names the link.
[[noreturn]] void failNullLink(std::size_t link, std::size_t links, const std::type_info& owner, const std::type_info& member);

template <std::size_t Link, std::size_t Links, class Object, class Class, class Member, class... Further>
decltype(auto) followLinks(Object& object, Member Class::*member, Further... further) {
    auto& found = object.*member;
    if constexpr (sizeof...(Further) == 0) {
        return (found);
    } else if constexpr (requires {
                             *found;
                             found == nullptr;
                         }) {
        if (found == nullptr) failNullLink(Link, Links, typeid(Class), typeid(Member));
        return followLinks<Link + 1, Links>(*found, further...);
    } else {
        return followLinks<Link + 1, Links>(found, further...);
    }
}

}    // namespace detail

/// Follows members from the root: chain(simulation, &Simulation::atoms, &Atoms::positions) is simulation.atoms->positions. A link is a
/// member, or a pointer to the object of the next link.
///
///     auto x = device.copyArray(ferry::chain(simulation, &Simulation::atoms, &Atoms::positions), count);
///
/// Errors: UsageError for a null pointer in the middle. The text names the link. The last member may be null.
template <class Root, class... Members>
auto& chain(Root& root, Members... members) {
    static_assert(sizeof...(Members) != 0, "ferry: ferry::chain needs a member to follow");
    return detail::followLinks<1, sizeof...(Members)>(root, members...);
}

}    // namespace ferry
