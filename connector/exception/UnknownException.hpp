#pragma once

#include <string>
#include <utility>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// Stands for an exception of another rank that is no std::exception (`throw 42`), or whose class this rank does not know.
class UnknownException : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::UnknownException)
    FERRY_FIELDS_DECLARED(typeName_)

    UnknownException() = default;
    UnknownException(std::string typeName, std::string text) : Exception(std::move(text)), typeName_(std::move(typeName)) {}

    /// The name of the type that was thrown, for example "int".
    const std::string& typeName() const noexcept { return typeName_; }

private:
    std::string typeName_;
};

}    // namespace ferry
