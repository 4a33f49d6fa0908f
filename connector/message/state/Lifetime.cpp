#include <ferry/connector/message/state/Lifetime.hpp>

#include <deque>
#include <mutex>

namespace ferry::detail {

/// All places of the process.
class Lifetime::Places {
public:
    static Places& all() {
        static Places& places = *new Places;    // never destroyed: handles in static objects ask after the end of main()
        return places;
    }

    Place* take() {
        const std::lock_guard lock(mutex_);
        if (firstFree_ == nullptr) return &places_.emplace_back();
        Place* const place = std::exchange(firstFree_, firstFree_->nextFree);
        place->nextFree = nullptr;
        return place;
    }

    void giveBack(Place* place) noexcept {
        place->number.fetch_add(1, std::memory_order_relaxed);
        const std::lock_guard lock(mutex_);
        place->nextFree = std::exchange(firstFree_, place);
    }

private:
    std::mutex mutex_;
    std::deque<Place> places_;
    Place* firstFree_ = nullptr;
};

Lifetime::Lifetime() : place_(Places::all().take()) {}

void Lifetime::end() noexcept {
    if (place_ == nullptr) return;
    Places::all().giveBack(std::exchange(place_, nullptr));
}

}    // namespace ferry::detail
