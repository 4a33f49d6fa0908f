#pragma once

#include <cstddef>
#include <memory>

namespace ferry {

/// How large the pieces are in which a graph is packed. A piece ends with the object that makes it so large: an object is never divided.
inline constexpr std::size_t defaultChunkBytes = std::size_t{256} << 10;

/// A structure to be sent or saved, by the object from which all others are reached. Borrows it: nothing may change until it is sent.
template <class T>
struct GraphRoot {
    const T* root = nullptr;
    std::size_t chunkBytes = defaultChunkBytes;
};

/// One whose owner is a temporary: for calls that are done with it when they return.
template <class T>
struct TemporaryGraphRoot : GraphRoot<T> {};

namespace detail {

template <class T>
void namesGraph(const GraphRoot<T>& graph);
template <class T>
concept NamedGraph = requires(const T& graph) {
    namesGraph(graph);
};

}    // namespace detail

/// Names a structure of objects that point to each other: `connector.send(1, ferry::graph(root))`. Everything that is reached from the root
/// by raw pointers, unique_ptr, shared_ptr and weak_ptr travels, each object once, and comes back with the same shape: an object reached
/// twice is one object, circles are circles, pointers to base classes lead to the same classes. Null is a graph of no objects.
///
/// The classes of the objects need FERRY_FIELDS (or a Codec, or are plain structs); those reached by pointers to a base class derive from
/// IntSerializableObject. Raw pointers own nothing on the way: the ferry::Graph that comes back owns what only they reach. Pointers to
/// elements of a std::vector that is a field of the graph lead to the elements of the vector that comes back; the vector must be met before
/// them. Pointers to other parts of objects (a member, an element of std::array) are not supported: what they lead to is sent as an object
/// of its own. An array behind a pointer: arrayOf.
///
/// A unique_ptr, shared_ptr or Graph that is named here keeps its objects only as long as it lives itself: one that is a temporary does for
/// send(), saveGraph() and copyGraph(), but not for post(), which goes on after the statement. (Of a shared_ptr it is not checked, as
/// others may hold the objects.)
template <class T>
GraphRoot<T> graph(const T* root, std::size_t chunkBytes = defaultChunkBytes) {
    return {root, chunkBytes};
}
template <class T>
GraphRoot<T> graph(const std::unique_ptr<T>& root, std::size_t chunkBytes = defaultChunkBytes) {
    return {root.get(), chunkBytes};
}
template <class T>
TemporaryGraphRoot<T> graph(std::unique_ptr<T>&& root, std::size_t chunkBytes = defaultChunkBytes) {
    return {{root.get(), chunkBytes}};
}
template <class T>
GraphRoot<T> graph(const std::shared_ptr<T>& root, std::size_t chunkBytes = defaultChunkBytes) {
    return {root.get(), chunkBytes};
}

}    // namespace ferry
