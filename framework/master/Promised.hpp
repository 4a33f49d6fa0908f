#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include <ferry/framework/master/Call.hpp>

namespace ferry {

/// A value that the master computes when other completions are done.
template <class T>
struct Promised final : Completion {
    using Stored = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

    Awaited awaited() const override {
        for (const std::weak_ptr<Completion>& source : sources) {
            const std::shared_ptr<Completion> known = source.lock();
            if (known && !known->isDone) return known->awaited();
        }
        return {{}, "what is made of replies"};
    }
    std::vector<std::shared_ptr<Completion>> openSources() const override {
        std::vector<std::shared_ptr<Completion>> open;
        for (const std::weak_ptr<Completion>& source : sources) {
            std::shared_ptr<Completion> known = source.lock();
            if (known && !known->isDone) open.push_back(std::move(known));
        }
        return open;
    }

    std::optional<Stored> value;                       ///< set when the completion is done and has not failed
    std::vector<std::weak_ptr<Completion>> sources;    ///< completions that this one depends on
};

}    // namespace ferry
