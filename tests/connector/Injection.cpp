#include <ferry/tests/connector/Injection.hpp>

#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/serialization/exception/xassert.hpp>

namespace ferry::test {

namespace {

constexpr const char* beginning = "injected ";

std::string textOf(int number, InjectedForm form) { return fmt::format("{}{} as {}", beginning, number, static_cast<int>(form)); }

bool isOfForm(const detail::Thrown& thrown, int number, InjectedForm form) {
    switch (form) {
        case InjectedForm::Standard: return thrown.as<std::runtime_error>() != nullptr && thrown.as<std::system_error>() == nullptr;
        case InjectedForm::Own: return thrown.as<Injected>() != nullptr && thrown.as<Injected>()->number == number;
        case InjectedForm::ErrorCode: {
            const auto* error = thrown.as<std::system_error>();
            return error != nullptr && error->code() == std::errc::connection_reset;
        }
        case InjectedForm::Text: return thrown.as<UnknownException>() != nullptr || thrown.as<std::string>() != nullptr;
        case InjectedForm::Chain: {
            const std::exception_ptr cause = thrown.cause();
            if (thrown.as<std::out_of_range>() == nullptr || !cause) return false;
            const detail::Thrown inner(cause);
            return inner.as<Injected>() != nullptr && inner.as<Injected>()->number == number;
        }
        case InjectedForm::Assertion: return thrown.as<AssertionFailure>() != nullptr;
    }
    return false;
}

}    // namespace

Injected::Injected(int theNumber) : Exception(textOf(theNumber, InjectedForm::Own)), number(theNumber) {}

void throwInjected(int number, InjectedForm form) {
    const std::string text = textOf(number, form);
    switch (form) {
        case InjectedForm::Standard: throw std::runtime_error(text);
        case InjectedForm::Own: throw Injected(number);
        case InjectedForm::ErrorCode: throw std::system_error(std::make_error_code(std::errc::connection_reset), text);
        case InjectedForm::Text: throw text;
        case InjectedForm::Chain: try { throw Injected(number);
            } catch (const Injected&) {
                std::throw_with_nested(std::out_of_range(text));
            }
        case InjectedForm::Assertion: break;
    }
    xassert(number < 0, "{}", text);
    throw std::logic_error("the number of an injected exception is not negative");
}

std::optional<int> numberOfInjected(const std::exception_ptr& exception) {
    const detail::Thrown thrown(exception);
    const std::size_t place = thrown.text().find(beginning);
    if (place == std::string::npos) return std::nullopt;
    const int number = std::atoi(thrown.text().c_str() + place + std::string(beginning).size());
    for (int form = 0; form < InjectedFormCount; ++form) {
        const auto candidate = static_cast<InjectedForm>(form);
        const bool isText = thrown.text().compare(place, textOf(number, candidate).size(), textOf(number, candidate)) == 0;
        if (isText && isOfForm(thrown, number, candidate)) return number;
    }
    return std::nullopt;
}

}    // namespace ferry::test
