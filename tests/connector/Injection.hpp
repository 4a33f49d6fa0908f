#pragma once

#include <exception>
#include <optional>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry::test {

/// What a campaign lets be thrown has a number, and one of these forms.
enum class InjectedForm { Standard, Own, ErrorCode, Text, Chain, Assertion };
constexpr int InjectedFormCount = 6;

/// An exception with data of its own.
class Injected : public Exception {
public:
    FERRY_EXCEPTION(ferry::test::Injected)
    FERRY_FIELDS(number)
    Injected() = default;
    explicit Injected(int theNumber);
    int number = 0;
};

[[noreturn]] void throwInjected(int number, InjectedForm form);

/// The number of what was thrown by throwInjected(), here or elsewhere; none for anything else, and when class, text or data are not
/// those that were thrown.
std::optional<int> numberOfInjected(const std::exception_ptr& exception);

}    // namespace ferry::test
