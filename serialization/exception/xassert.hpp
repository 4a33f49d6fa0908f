#pragma once

#include <string>
#include <utility>

#include <fmt/core.h>

#include <ferry/serialization/exception/Decomposer.hpp>

// xassert(seats <= capacity);  xassert(seats <= capacity, "room {}", name);
// Throws ferry::AssertionFailure when the condition is false. The text shows the expression, the values of both operands, and the message.
// The condition is evaluated once. The arguments of the message are evaluated only if the condition is false.
//
// FERRY_ASSERT_LEVEL sets which checks are active: 0 none, 1 xassertLight, 2 xassert too (the default), 3 xassertHeavy too. An inactive
// check is compiled but never evaluated.
//
// FERRY_ASSERT_LIGHT, FERRY_ASSERT and FERRY_ASSERT_HEAVY are the same three checks. A program whose own names are in the way defines
// FERRY_NO_SHORT_NAMES: then Ferry defines no macro but those that begin with FERRY_.

#ifndef FERRY_ASSERT_LEVEL
#define FERRY_ASSERT_LEVEL 2
#endif

namespace ferry::detail {

inline std::string formatAssertMessage() { return {}; }

template <class... Arguments>
std::string formatAssertMessage(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    return fmt::format(format, std::forward<Arguments>(arguments)...);
}

/// arguments: the text between the parentheses of xassert.
[[noreturn]] void failAssertion(const FailedValues& values, const char* arguments, std::string message, const char* file, int line);

}    // namespace ferry::detail

#define FERRY_ASSERT_CHECK(text_, condition_, ...)                                                                                    \
    do {                                                                                                                              \
        FERRY_BEGIN_DECOMPOSED                                                                                                        \
        if (const ::ferry::detail::FailedValues failed_ = ::ferry::detail::failedValues(::ferry::detail::Decomposer() <= condition_); \
            failed_.isSet()) [[unlikely]] {                                                                                           \
            ::ferry::detail::failAssertion(failed_, text_, ::ferry::detail::formatAssertMessage(__VA_ARGS__), __FILE__, __LINE__);    \
        }                                                                                                                             \
        FERRY_END_DECOMPOSED                                                                                                          \
    } while (false)

#define FERRY_ASSERT_SKIP(condition_, ...)                                        \
    do {                                                                          \
        if (false) {                                                              \
            static_cast<void>(condition_);                                        \
            static_cast<void>(::ferry::detail::formatAssertMessage(__VA_ARGS__)); \
        }                                                                         \
    } while (false)

// The stringised arguments keep macros in the condition as they were written. So no macro below is defined by another one.
#if FERRY_ASSERT_LEVEL >= 1
#define FERRY_ASSERT_LIGHT(...) FERRY_ASSERT_CHECK(#__VA_ARGS__, __VA_ARGS__)
#else
#define FERRY_ASSERT_LIGHT(...) FERRY_ASSERT_SKIP(__VA_ARGS__)
#endif

#if FERRY_ASSERT_LEVEL >= 2
#define FERRY_ASSERT(...) FERRY_ASSERT_CHECK(#__VA_ARGS__, __VA_ARGS__)
#else
#define FERRY_ASSERT(...) FERRY_ASSERT_SKIP(__VA_ARGS__)
#endif

#if FERRY_ASSERT_LEVEL >= 3
#define FERRY_ASSERT_HEAVY(...) FERRY_ASSERT_CHECK(#__VA_ARGS__, __VA_ARGS__)
#else
#define FERRY_ASSERT_HEAVY(...) FERRY_ASSERT_SKIP(__VA_ARGS__)
#endif

#ifndef FERRY_NO_SHORT_NAMES

#if FERRY_ASSERT_LEVEL >= 1
#define xassertLight(...) FERRY_ASSERT_CHECK(#__VA_ARGS__, __VA_ARGS__)
#else
#define xassertLight(...) FERRY_ASSERT_SKIP(__VA_ARGS__)
#endif

#if FERRY_ASSERT_LEVEL >= 2
#define xassert(...) FERRY_ASSERT_CHECK(#__VA_ARGS__, __VA_ARGS__)
#else
#define xassert(...) FERRY_ASSERT_SKIP(__VA_ARGS__)
#endif

#if FERRY_ASSERT_LEVEL >= 3
#define xassertHeavy(...) FERRY_ASSERT_CHECK(#__VA_ARGS__, __VA_ARGS__)
#else
#define xassertHeavy(...) FERRY_ASSERT_SKIP(__VA_ARGS__)
#endif

#endif
