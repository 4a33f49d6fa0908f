#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace ferry::detail {

/// Tells the handles of an object that the object has ended. The object has a Lifetime as a member, and each handle has a mark of it.
///
/// A mark may outlive the object, and is copied like a number. To ask it costs a load and a comparison.
/// Threads: any. A handle that is used while the object ends needs a lock of its own.
class Lifetime {
    /// A place that the marks read. Places are used again, and never freed. Each use of a place has another number.
    struct Place {
        std::atomic<std::uint64_t> number{0};
        Place* nextFree = nullptr;
    };

public:
    /// A mark of no object is never over.
    class Mark {
    public:
        Mark() = default;
        bool isOver() const noexcept { return place_ != nullptr && place_->number.load(std::memory_order_relaxed) != number_; }

    private:
        friend class Lifetime;
        explicit Mark(const Place* place) noexcept : place_(place), number_(place->number.load(std::memory_order_relaxed)) {}

        const Place* place_ = nullptr;
        std::uint64_t number_ = 0;
    };

    Lifetime();
    Lifetime(const Lifetime&) = delete;
    Lifetime& operator=(const Lifetime&) = delete;
    ~Lifetime() { end(); }

    Mark mark() const noexcept { return Mark(place_); }

    /// From now on the marks are over. To be called first in the destructor of an object whose members may use handles.
    void end() noexcept;

private:
    class Places;

    Place* place_;    ///< null: over
};

}    // namespace ferry::detail
