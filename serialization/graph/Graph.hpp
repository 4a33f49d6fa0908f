#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/ints/CodecTraits.hpp>
#include <ferry/serialization/ints/SoleOwner.hpp>
#include <ferry/serialization/reference/ReceivedObjects.hpp>

namespace ferry {

namespace detail {

[[noreturn]] void failTakeRoot(const char* wanted, const ReceivedObjects* objects);

}    // namespace detail

/// A structure of objects that came from another rank, a file or a copy.
///
/// Ownership: owns every object that only raw pointers reach. Objects behind unique_ptr, shared_ptr and ferry::owned belong to those
/// pointers. Destroying
///            the graph destroys the shared objects that are not held from outside, also those in cycles. Can be moved, not copied.
/// Threads: one at a time.
template <class T>
class Graph {
public:
    using Object = T;

    /// A graph without objects.
    Graph() noexcept = default;
    Graph(T* root, detail::SoleOwner<detail::ReceivedObjects> objects) noexcept : root_(root), objects_(std::move(objects)) {}
    Graph(Graph&& other) noexcept : root_(std::exchange(other.root_, nullptr)), objects_(std::move(other.objects_)) {}
    Graph& operator=(Graph&& other) noexcept {
        root_ = std::exchange(other.root_, nullptr);
        objects_ = std::move(other.objects_);
        return *this;
    }
    ~Graph() = default;

    /// The object from which all others are reached; null for an empty graph.
    T* root() const noexcept { return root_; }
    T& operator*() const noexcept { return *root_; }
    T* operator->() const noexcept { return root_; }
    explicit operator bool() const noexcept { return root_ != nullptr; }

    /// The number of objects that pointers reach. 0 if the objects belong to another owner (on the root rank of broadcastGraph).
    std::size_t objectCount() const noexcept { return objects_ != nullptr ? objects_->count() : 0; }

    /// Hands the root over. Objects that only raw pointers reach stay with the graph.
    /// Errors: UsageError when the root has another kind of owner, and for a graph in an arena.
    std::unique_ptr<T> takeUnique() {
        if (root_ == nullptr) return nullptr;
        if (!isFree()) detail::failTakeRoot("unique_ptr", objects_.get());
        objects_->giveToUnique(1, 0);
        return std::unique_ptr<T>(root_);
    }
    std::shared_ptr<T> takeShared() {
        if (root_ == nullptr) return nullptr;
        if (isFree()) return objects_->giveToShared(1, root_);
        if (objects_ == nullptr || objects_->ownerOf(1) != detail::ReceivedObjects::Owner::Shared) {
            detail::failTakeRoot("shared_ptr", objects_.get());
        }
        return {objects_->shareOf(1), root_};
    }

    /// Leaves all objects to the caller. Each object that only raw pointers reach was made with new, each array with new[].
    /// Errors: UsageError for a graph in an arena, and for a graph whose objects belong to another owner.
    T* release() {
        if (root_ == nullptr) return nullptr;
        if (objects_ == nullptr || objects_->memory() == GraphMemory::Arena) detail::failTakeRoot("raw pointer", objects_.get());
        objects_->abandon();
        objects_.reset();
        return std::exchange(root_, nullptr);
    }

private:
    /// Whether the graph itself owns the root.
    bool isFree() const noexcept {
        return objects_ != nullptr && objects_->memory() == GraphMemory::Heap &&
               objects_->ownerOf(1) == detail::ReceivedObjects::Owner::Graph;
    }

    T* root_ = nullptr;
    detail::SoleOwner<detail::ReceivedObjects> objects_;    // null: the objects belong to another owner
};

/// A graph as a value: a field of a message or a reply, a shared object, a value of a collective. It travels whole, in one letter. The
/// arriving graph owns its objects on the heap. GraphCodec.hpp defines the functions.
template <class T>
struct Codec<Graph<T>> {
    static constexpr std::size_t minInts = 1;
    static void write(IntWriter& out, const Graph<T>& graph);
    static void read(IntReader& in, Graph<T>& graph);
};

/// Names an arrived graph, to send it on, copy it or save it.
template <class T>
detail::GraphRoot<T> graph(const Graph<T>& graph, std::size_t chunkBytes = detail::defaultChunkBytes) {
    return {graph.root(), chunkBytes};
}
template <class T>
detail::TemporaryGraphRoot<T> graph(Graph<T>&& graph, std::size_t chunkBytes = detail::defaultChunkBytes) {
    return {{graph.root(), chunkBytes}};
}

}    // namespace ferry
