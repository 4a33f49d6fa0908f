#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/serialization/exception/ValueText.hpp>

namespace ferry {

/// One thing that was known where something was thrown: its name, and its value as text.
struct ContextEntry {
    std::string key;
    std::string value;

    friend bool operator==(const ContextEntry&, const ContextEntry&) = default;
};

namespace detail {

/// A link in the list of the contexts of a thread. The list holds what lives on the stack, so it costs no memory.
class ContextLink {
public:
    using TextOf = std::string (*)(const void* value);

    ContextLink(const char* key, const void* value, TextOf textOf) noexcept;
    ContextLink(const ContextLink&) = delete;
    ContextLink& operator=(const ContextLink&) = delete;
    ~ContextLink();

    ContextEntry entry() const { return {key_, textOf_(value_)}; }
    const ContextLink* outer() const noexcept { return outer_; }

private:
    const char* key_;
    const void* value_;
    TextOf textOf_;
    const ContextLink* outer_;
};

template <class T>
std::string contextText(const void* value) {
    const T& known = *static_cast<const T*>(value);
    if constexpr (std::is_same_v<T, std::string>) {
        return known;
    } else {
        return textOf(known);
    }
}

}    // namespace detail

/// Says, as long as it lives, what this thread is busy with; made by ferry::context. What is thrown meanwhile carries it.
///
/// The value is copied, and made to text only when something is thrown.
/// Threads: belongs to the one that made it, and ends there. Contexts end in the reverse order of their beginnings, as local variables do.
template <class T>
class [[nodiscard]] Context {
public:
    Context(const char* key, T value) : value_(std::move(value)), link_(key, &value_, detail::contextText<T>) {}
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

private:
    T value_;
    detail::ContextLink link_;    // made after the value and gone before it
};

/// `const auto room = ferry::context("room", name);` adds `room = ...` to all that is thrown on this thread until the end of the scope.
/// The key is a literal, or lives as long. Texts of any kind are kept as std::string; other values need a copy constructor and are shown
/// as xassert shows them (docs/errors.md).
template <class T>
auto context(const char* key, const T& value) {
    if constexpr (std::is_convertible_v<const T&, std::string_view>) {
        return Context<std::string>(key, std::string(std::string_view(value)));
    } else {
        return Context<T>(key, value);
    }
}

/// The contexts of this thread, the outermost first; of very many the innermost ones, of long texts the beginning (OriginLimits).
std::vector<ContextEntry> activeContext();

}    // namespace ferry
