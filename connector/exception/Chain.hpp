#pragma once

#include <cstddef>
#include <exception>
#include <vector>

namespace ferry {

class Exception;

/// Longer chains of causes do not travel whole: what is deeper is cut off.
constexpr std::size_t maxChainLength = 65'536;

/// The cause nested in an exception (std::throw_with_nested, or Exception::setCause); null when there is none.
std::exception_ptr causeOf(const std::exception& exception);

/// The exception and its causes, outermost first, at most maxLength (1 or more); empty for null. The last one of a chain that was cut, or
/// leads back into itself, is a CausesCutOff, which says how many are missing.
std::vector<std::exception_ptr> chainOf(std::exception_ptr exception, std::size_t maxLength = maxChainLength);

/// A copy of the exception with its dynamic class, and with its cause nested, as std::exception_ptr.
std::exception_ptr raised(const Exception& exception);

/// The exception that is being handled, if it is this very object; else null. Unlike a copy it knows where it was thrown.
std::exception_ptr handled(const std::exception& exception);

}    // namespace ferry
