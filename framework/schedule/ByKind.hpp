#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

namespace ferry::detail {

/// One value for each kind of call. Calls of one kind come in rows, so the kind of the last question is found without a search. Pure logic.
template <class T>
class ByKind {
public:
    ByKind() = default;
    ByKind(ByKind&& other) noexcept : values_(std::move(other.values_)), last_(std::exchange(other.last_, nullptr)) {}
    ByKind& operator=(ByKind&& other) noexcept {
        values_ = std::move(other.values_);
        last_ = std::exchange(other.last_, nullptr);
        return *this;
    }
    ~ByKind() = default;

    /// The value of a kind; null: the kind has none. Valid as long as the value.
    T* find(std::int32_t kind) const {
        if (last_ != nullptr && last_->first == kind) return &last_->second;
        const auto found = values_.find(kind);
        if (found == values_.end()) return nullptr;
        last_ = &*found;
        return &last_->second;
    }

    /// Adds the value of a kind that has none.
    template <class... Arguments>
    T& add(std::int32_t kind, Arguments&&... arguments) {
        last_ = &*values_.try_emplace(kind, std::forward<Arguments>(arguments)...).first;
        return last_->second;
    }

    auto begin() { return values_.begin(); }
    auto end() { return values_.end(); }

private:
    using Values = std::unordered_map<std::int32_t, T>;

    mutable Values values_;
    mutable typename Values::value_type* last_ = nullptr;    ///< null: no kind was found yet. The map does not move its values
};

}    // namespace ferry::detail
