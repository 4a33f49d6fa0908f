#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/serialization/codec/CodecViewArray.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphCodec.hpp>
#include <ferry/serialization/graph/GraphReader.hpp>
#include <ferry/serialization/graph/GraphWriter.hpp>

namespace ferry {

/// A graph whose objects of class T travel as the part that a view shows. A value: it goes wherever other values go, in one letter. The
/// objects that arrive have the other members as their default constructor makes them.
///
///     using Places = ferry::View<&Station::name, &Station::next>;    // the pointers to follow are members of the view
///     connector.send(1, ferry::graph(ferry::part<Places>(station)));
///     const auto stations = connector.receive<ferry::PartGraph<Places, Station>>(0);
///
/// Objects of other classes travel whole. So do the elements of a vector of T that is a member of the view, unless the view names a part of
/// them with ferry::inside.
/// Ownership: ferry::graph() makes one that borrows the objects. One that arrives, or that copyGraph() makes, owns them as a Graph does.
template <class ViewOfObject, class T>
class PartGraph : public Graph<T> {
    static_assert(!detail::isObject<T>,
                  "ferry: a part of a graph (see T) is of a class that derives from no ferry::IntSerializableObject, since its pointers may "
                  "lead to objects of other classes");

public:
    PartGraph() noexcept = default;
    explicit PartGraph(Graph<T> graph) noexcept : Graph<T>(std::move(graph)) {}
};

namespace detail {

/// For objects of a class that travel as a part of them.
template <class ViewOfObject, class T>
inline constexpr PointeeType viewedPointee{
    .type = &typeid(T),
    .objectBytes = sizeof(T),
    .minInts = ferry::detail::minInts<Part<ViewOfObject, T>>,
    .isArray = false,
    .hasDestructor = !std::is_trivially_destructible_v<T>,
    .write = *[](IntWriter& out, const void* object, std::size_t) { writePart<ViewOfObject>(out, *static_cast<const T*>(object)); },
    .fetch = fetchNothing,
    .read = *[](IntReader& in, void* object, std::size_t) { readPart<ViewOfObject>(in, *static_cast<T*>(object)); },
    .destroy = *[](void* object) noexcept { delete static_cast<T*>(object); },
    .destroyAt = *[](void* object) noexcept { static_cast<T*>(object)->~T(); },
};

}    // namespace detail

/// Names a structure whose objects of one class travel as a part: ferry::graph(ferry::part<View>(root)). root: the object from which all
/// others are reached. Borrows the structure, which must not change until it has been written. For a reply, copy it: copyGraph(graph(part)).
template <class ViewOfObject, class T>
PartGraph<ViewOfObject, std::remove_const_t<T>> graph(const detail::Part<ViewOfObject, T>& part) {
    using Object = std::remove_const_t<T>;
    static_assert(detail::canShow<ViewOfObject, T> && !detail::isPartwise<Object>,
                  "ferry: graph(part<View>(root)) takes an object of the class (see T) whose members the view names: name *pointer, not the "
                  "pointer");
    return PartGraph<ViewOfObject, Object>(Graph<Object>(const_cast<Object*>(std::addressof(part.object)), nullptr));
}
/// Names a graph that has arrived, to send it on.
template <class ViewOfObject, class T>
PartGraph<ViewOfObject, T> graph(const PartGraph<ViewOfObject, T>& graph) {
    return PartGraph<ViewOfObject, T>(Graph<T>(graph.root(), nullptr));
}

template <class ViewOfObject, class T>
struct Codec<PartGraph<ViewOfObject, T>> {
    static constexpr std::size_t minInts = 1;
    static void write(IntWriter& out, const PartGraph<ViewOfObject, T>& graph) {
        detail::writeWholeGraph<T>(out, graph.root(), &detail::viewedPointee<ViewOfObject, T>);
    }
    static void read(IntReader& in, PartGraph<ViewOfObject, T>& graph) {
        graph = PartGraph<ViewOfObject, T>(detail::readWholeGraph<T>(in, &detail::viewedPointee<ViewOfObject, T>));
    }
};

/// Makes a copy of the part of all objects that are reached from the root.
template <class ViewOfObject, class T>
PartGraph<ViewOfObject, T> copyGraph(const PartGraph<ViewOfObject, T>& graph) {
    IntBuffer buffer;
    IntWriter out(buffer);
    out << graph;
    out.finish();
    PartGraph<ViewOfObject, T> copy;
    IntReader(buffer.ints()) >> copy;
    return copy;
}

}    // namespace ferry
