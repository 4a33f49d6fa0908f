#include <ferry/framework/master/Dependencies.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ferry::detail {

Dependencies dependenciesOf(const Completion& completion) {
    Dependencies found;
    boost::unordered_flat_set<const Completion*> known;
    std::vector<std::shared_ptr<Completion>> open;
    const auto hasOpenSources = [&](const Completion& one) {
        const auto before = static_cast<std::ptrdiff_t>(open.size());
        bool isAny = false;
        for (const std::weak_ptr<Completion>& each : one.dependsOn()) {
            std::shared_ptr<Completion> source = each.lock();
            if (!source) continue;
            if (source->isDone) {
                found.doneSources.insert(source.get());
                continue;
            }
            isAny = true;
            if (known.insert(source.get()).second) open.push_back(std::move(source));
        }
        std::reverse(open.begin() + before, open.end());    // the first source is taken out first
        return isAny;
    };
    static_cast<void>(hasOpenSources(completion));
    while (!open.empty()) {
        const std::shared_ptr<Completion> next = std::move(open.back());
        open.pop_back();
        if (!hasOpenSources(*next)) found.openEnds.push_back(next);
    }
    return found;
}

}    // namespace ferry::detail
