#include <ferry/framework/master/Promised.hpp>

#include <memory>

#include <boost/unordered/unordered_flat_set.hpp>

namespace ferry::detail {

namespace {

/// The first source that is not done; null: there is none.
std::shared_ptr<const Completion> firstOpenSource(const Completion& completion) {
    for (const std::weak_ptr<Completion>& each : completion.dependsOn()) {
        const std::shared_ptr<const Completion> source = each.lock();
        if (source && !source->isDone) return source;
    }
    return nullptr;
}

}    // namespace

Awaited DependentCompletion::awaited() const {
    boost::unordered_flat_set<const Completion*> known;    // functions of the program may return futures that wait for each other
    std::shared_ptr<const Completion> end = firstOpenSource(*this);
    while (end && !end->dependsOn().empty() && known.insert(end.get()).second) end = firstOpenSource(*end);
    if (end && end->dependsOn().empty()) return end->awaited();
    return {{}, "a value made from replies"};
}

}    // namespace ferry::detail
