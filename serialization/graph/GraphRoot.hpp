#pragma once

#include <cstddef>
#include <memory>

namespace ferry {

namespace detail {

/// Size of the pieces of a graph, in bytes. A piece ends with the object that reaches this size, because an object is never divided.
inline constexpr std::size_t defaultChunkBytes = std::size_t{256} << 10;

/// A structure to be sent or saved, given by its root: the object from which all others are reached. Borrows the structure, which must not
/// change until it is sent.
template <class T>
struct GraphRoot {
    const T* root = nullptr;
    std::size_t chunkBytes = defaultChunkBytes;
};

/// A structure whose owner is a temporary. Only for calls that no longer need the structure when they return.
template <class T>
struct TemporaryGraphRoot : GraphRoot<T> {};

template <class T>
void namesGraph(const GraphRoot<T>& graph);
template <class T>
concept NamedGraph = requires(const T& graph) {
    namesGraph(graph);
};

}    // namespace detail

/// Names a structure of objects that point to each other: `connector.send(1, ferry::graph(root))`. Everything that is reached from the root
/// by raw pointers, unique_ptr, shared_ptr and weak_ptr travels, each object once. The structure arrives with the same shape: an object
/// reached twice is one object, cycles are cycles, pointers to base classes point to objects of the same classes. A null pointer is a graph
/// of no objects.
///
/// The classes of the objects need FERRY_FIELDS (or a Codec, or are plain structs). Classes that are reached by pointers to a base class
/// derive from IntSerializableObject. A raw pointer owns nothing, unless FERRY_FIELDS lists it as ferry::owned(pointer). The arriving
/// ferry::Graph owns the objects that only pointers without ownership reach.
///
/// Pointers to elements of a std::vector that is a field of the graph arrive as pointers to the elements of the arriving vector. The vector
/// must be met before such pointers. Pointers to other parts of objects (a member, an element of std::array) are not supported: the part is
/// sent as an object of its own. For an array behind a pointer see arrayOf.
///
/// A unique_ptr, shared_ptr or Graph that is named here keeps its objects only as long as it lives itself. A temporary one is sufficient
/// for send(), saveGraph() and copyGraph(). A temporary one is not sufficient for post(), which continues after the statement. (For a
/// shared_ptr this is not checked, because other pointers may hold the objects.)
template <class T>
detail::GraphRoot<T> graph(const T* root, std::size_t chunkBytes = detail::defaultChunkBytes) {
    return {root, chunkBytes};
}
template <class T>
detail::GraphRoot<T> graph(const std::unique_ptr<T>& root, std::size_t chunkBytes = detail::defaultChunkBytes) {
    return {root.get(), chunkBytes};
}
template <class T>
detail::TemporaryGraphRoot<T> graph(std::unique_ptr<T>&& root, std::size_t chunkBytes = detail::defaultChunkBytes) {
    return {{root.get(), chunkBytes}};
}
template <class T>
detail::GraphRoot<T> graph(const std::shared_ptr<T>& root, std::size_t chunkBytes = detail::defaultChunkBytes) {
    return {root.get(), chunkBytes};
}

}    // namespace ferry
