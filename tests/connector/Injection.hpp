#pragma once

#include <exception>
#include <optional>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry::test {

/// The forms of exceptions that a campaign throws. Each injected exception has a number.
enum class InjectedForm { Standard, Own, ErrorCode, Text, Chain, Assertion };
constexpr int InjectedFormCount = 6;

/// An exception with its own data.
class Injected : public Exception {
public:
    FERRY_EXCEPTION(ferry::test::Injected)
    FERRY_FIELDS(number)
    Injected() = default;
    explicit Injected(int theNumber);
    int number = 0;
};

[[noreturn]] void throwInjected(int number, InjectedForm form);

/// Returns the number of an exception that throwInjected() has thrown on any rank.
/// Returns nothing for any other exception, and when class, text or data differ from the original.
std::optional<int> numberOfInjected(const std::exception_ptr& exception);

}    // namespace ferry::test
