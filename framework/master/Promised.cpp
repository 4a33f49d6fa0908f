#include <ferry/framework/master/Promised.hpp>

#include <utility>

namespace ferry::detail {

Awaited DependentCompletion::awaited() const {
    for (const std::weak_ptr<Completion>& source : sources) {
        const std::shared_ptr<Completion> known = source.lock();
        if (known && !known->isDone) return known->awaited();
    }
    return {{}, "a value made from replies"};
}

std::vector<std::shared_ptr<Completion>> DependentCompletion::openSources() const {
    std::vector<std::shared_ptr<Completion>> open;
    for (const std::weak_ptr<Completion>& source : sources) {
        std::shared_ptr<Completion> known = source.lock();
        if (known && !known->isDone) open.push_back(std::move(known));
    }
    return open;
}

}    // namespace ferry::detail
