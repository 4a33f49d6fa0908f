#pragma once

#include <cstddef>
#include <exception>
#include <vector>

namespace ferry {

class Exception;

namespace detail {

/// The length of the longest chain of causes that travels whole. The deeper causes of a longer chain are cut off.
constexpr std::size_t maxChainLength = 65'536;

}    // namespace detail

/// The cause nested in an exception (std::throw_with_nested, or Exception::setCause); null when there is none.
std::exception_ptr causeOf(const std::exception& exception);

namespace detail {

/// The exception and its causes, outermost first, at most maxLength (1 or more) of them. Empty for null. A chain that was cut, or that
/// leads back into itself, ends with a CausesCutOff, which says how many causes are missing.
std::vector<std::exception_ptr> chainOf(std::exception_ptr exception, std::size_t maxLength = maxChainLength);

/// A copy of the exception as std::exception_ptr, with its dynamic class and with its cause nested.
std::exception_ptr raised(const Exception& exception);

/// The exception that is being handled, if it is this very object; else null. Unlike a copy, it knows where it was thrown.
std::exception_ptr handled(const std::exception& exception);

}    // namespace detail

}    // namespace ferry
