#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

namespace ferry {

class Exception;

/// Longer chains of causes are cut: what is deeper does not travel, and is in no report.
constexpr std::size_t maxChainLength = 64;

/// The cause nested in an exception (std::throw_with_nested, or Exception::setCause); null when there is none.
std::exception_ptr causeOf(const std::exception& exception) noexcept;

/// The exception and its causes, outermost first, at most maxLength (1 or more); empty for null. The last one of a chain that was cut is a
/// CausesCutOff, which says how many are missing.
std::vector<std::exception_ptr> chainOf(std::exception_ptr exception, std::size_t maxLength = maxChainLength);

/// A copy of the exception with its dynamic class, and with its cause nested, as std::exception_ptr.
std::exception_ptr raised(const Exception& exception);

/// The exception that is being handled, which must be this very object. Errors: UsageError when it is not.
std::exception_ptr handled(const std::exception& exception);

/// The name of the type of the exception that is being handled, also when it is no std::exception.
std::string currentTypeName();

}    // namespace ferry
