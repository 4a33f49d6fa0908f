#include <ferry/apps/timetabling/curriculum/search/RestSearch.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace timetabling::curriculum {

namespace {

/// Returns the instance without the lectures that are left out.
Instance withoutLeftOut(Instance instance, const Slots& rest) {
    std::size_t lecture = 0;
    for (Course& course : instance.courses) {
        const int all = course.lectureCount;
        for (int i = 0; i < all; ++i) course.lectureCount -= rest[lecture++] < 0 ? 1 : 0;
    }
    instance.rest.clear();
    return instance;
}

/// Checks that the lectures that are left out are the last ones of their courses.
void checkRest(const Instance& instance) {
    std::size_t lecture = 0;
    for (const Course& course : instance.courses) {
        bool isLeftOut = false;
        for (int i = 0; i < course.lectureCount; ++i) {
            const bool isThisLeftOut = lecture >= instance.rest.size() || instance.rest[lecture] < 0;
            if (isLeftOut && !isThisLeftOut) throw std::invalid_argument("a lecture that is left out is not the last of its course");
            isLeftOut = isThisLeftOut;
            ++lecture;
        }
    }
    if (lecture != instance.rest.size()) throw std::invalid_argument("a timetable of the rest has another number of lectures");
}

}    // namespace

RestSearch::RestSearch(Instance instance) : rest_(instance.rest) {
    checkInstance(instance);
    checkRest(instance);
    inner_ = std::make_unique<const CurriculumSearch>(withoutLeftOut(std::move(instance), rest_));
    inner_->check(toInner(rest_));
}

std::string RestSearch::describeViolations(const Slots& slots) const { return inner_->describeViolations(toInner(slots)); }

void RestSearch::check(const Slots& slots) const {
    bool isSame = slots.size() == rest_.size();
    for (std::size_t lecture = 0; isSame && lecture < slots.size(); ++lecture) isSame = (slots[lecture] < 0) == (rest_[lecture] < 0);
    if (!isSame) throw std::invalid_argument("slots: expected other lectures to be left out");
    inner_->check(toInner(slots));
}

Individual RestSearch::construct(std::uint64_t seed, const Budget& budget, const StopHook& stop) const {
    constexpr int share = 10;    // such a part of the budget is for a timetable of its own
    const Budget part{budget.moves > 0 ? std::max<std::int64_t>(1, budget.moves / share) : 0, budget.seconds / share};
    Individual built = inner_->construct(seed, part, stop);
    if (built.isFeasible()) return toWhole(std::move(built));
    // An annealing without moves scores the timetable.
    SearchOrder order;
    order.budget = Budget::ofMoves(1);
    return toWhole(inner_->anneal(toInner(rest_), order, stop).best);
}

SearchResult RestSearch::anneal(const Slots& slots, const SearchOrder& order, const StopHook& stop) const {
    SearchResult result = inner_->anneal(toInner(slots), toInner(order), stop);
    return {toWhole(std::move(result.best)), result.moves};
}

SearchResult RestSearch::improve(const Slots& child, const SearchOrder& order, const StopHook& stop) const {
    SearchResult result = inner_->improve(toInner(child), toInner(order), stop);
    return {toWhole(std::move(result.best)), result.moves};
}

Slots RestSearch::cross(const Slots& first, const Slots& second, Random& random) const {
    return toWhole(inner_->cross(toInner(first), toInner(second), random));
}

bool RestSearch::areAlike(const Slots& a, const Slots& b) const { return inner_->areAlike(toInner(a), toInner(b)); }

Slots RestSearch::toInner(const Slots& slots) const {
    Slots inner;
    for (std::size_t lecture = 0; lecture < slots.size() && lecture < rest_.size(); ++lecture) {
        if (rest_[lecture] >= 0) inner.push_back(slots[lecture]);
    }
    return inner;
}

Slots RestSearch::toWhole(const Slots& slots) const {
    Slots whole;
    std::size_t next = 0;
    for (const int slot : rest_) whole.push_back(slot < 0 ? -1 : slots[next++]);
    return whole;
}

Individual RestSearch::toWhole(Individual individual) const {
    individual.slots = toWhole(individual.slots);
    return individual;
}

SearchOrder RestSearch::toInner(const SearchOrder& order) const {
    SearchOrder inner = order;
    if (order.offer) inner.offer = [this, offer = order.offer](const Individual& best) { return offer(toWhole(best)); };
    return inner;
}

}    // namespace timetabling::curriculum
