#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/serialization/exception/ValueText.hpp>
#include <ferry/serialization/ints/HeldText.hpp>

namespace ferry {

namespace detail {

/// A name and a value (as text) that the program attached to the place of a throw.
struct ContextEntry {
    std::string key;
    std::string value;

    friend bool operator==(const ContextEntry&, const ContextEntry&) = default;
};

/// A link in the list of a thread's contexts. The links are on the stack, so that the list allocates no memory.
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

/// Notes the current work of this thread during its lifetime. ferry::context makes it. An exception thrown meanwhile carries the context.
///
/// The value is copied. Its text is made only when an exception is thrown.
/// Threads: made and destroyed on one thread. Contexts end in the reverse order of their beginnings, like local variables.
template <class T>
class [[nodiscard]] Context {
public:
    Context(const char* key, T value) : value_(std::move(value)), link_(key, std::addressof(value_), detail::contextText<T>) {}
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

private:
    T value_;
    detail::ContextLink link_;    // made after the value and destroyed before it
};

}    // namespace detail

/// `const auto room = ferry::context("room", name);` adds `room = ...` to every exception thrown on this thread until the end of the scope.
/// The key is a literal, or exists as long as the context. Texts of any kind are kept as std::string. Other values need a copy constructor
/// and are shown as in xassert (docs/errors.md).
template <class T>
auto context(const char* key, const T& value) {
    if constexpr (detail::ConvertsToText<T>) {
        return detail::Context<std::string>(key, std::string(detail::heldText(value)));
    } else {
        return detail::Context<T>(key, value);
    }
}

namespace detail {

/// The contexts of this thread, the outermost first. Only the innermost contexts and the beginnings of long texts are kept (OriginLimits).
std::vector<ContextEntry> activeContext();

}    // namespace detail

}    // namespace ferry
