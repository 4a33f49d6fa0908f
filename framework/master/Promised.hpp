#pragma once

#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include <ferry/framework/master/Completion.hpp>

namespace ferry::detail {

/// A completion that depends on others.
struct DependentCompletion : Completion {
    Awaited awaited() const override;
    std::span<const std::weak_ptr<Completion>> dependsOn() const noexcept override { return sources; }

    std::vector<std::weak_ptr<Completion>> sources;    ///< completions that this one depends on
};

/// A value that the master computes when other completions are done.
template <class T>
struct Promised final : DependentCompletion {
    using Stored = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

    void dropResult() noexcept override { value.reset(); }

    std::optional<Stored> value;    ///< set when the completion is done and has not failed
};

}    // namespace ferry::detail
