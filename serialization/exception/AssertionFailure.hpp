#pragma once

#include <string>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// The exception of a failed xassert: a mistake in the program.
class AssertionFailure : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::AssertionFailure)
    FERRY_FIELDS_DECLARED(expression, values, message, file, line)

    AssertionFailure() = default;
    /// Text and origin are derived from the arguments.
    AssertionFailure(std::string expression, std::string values, std::string message, std::string file, int line);

    ErrorKind kind() const noexcept override { return ErrorKind::Bug; }

    std::string expression;    ///< as written, for example "seats <= capacity"
    std::string values;        ///< values of its operands, for example "31 <= 30"; empty if the expression already shows them
    std::string message;       ///< the formatted message, or empty
    std::string file;
    int line = 0;
};

}    // namespace ferry
