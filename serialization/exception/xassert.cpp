#include <ferry/serialization/exception/xassert.hpp>

#include <memory>
#include <string_view>

#include <ferry/serialization/exception/AssertionFailure.hpp>

namespace ferry::detail {

namespace {

// The condition is the text before the first comma outside of parentheses and literals.
std::string_view firstArgument(std::string_view arguments) {
    int depth = 0;
    char quote = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const char character = arguments[i];
        if (quote != 0) {
            if (character == '\\')
                ++i;
            else if (character == quote)
                quote = 0;
        } else if (character == '"' || character == '\'') {
            quote = character;
        } else if (character == '(') {
            ++depth;
        } else if (character == ')') {
            --depth;
        } else if (character == ',' && depth == 0) {
            return arguments.substr(0, i);
        }
    }
    return arguments;
}

}    // namespace

void FailedValues::destroy() noexcept { std::default_delete<const std::string>()(text_); }

void failAssertion(const FailedValues& values, const char* arguments, std::string message, const char* file, int line) {
    throw AssertionFailure(std::string(firstArgument(arguments)), values.text(), std::move(message), file, line);
}

}    // namespace ferry::detail
