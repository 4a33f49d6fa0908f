#pragma once

#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// The awaited operation was cancelled by the rank that should have finished it.
class Cancelled : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::Cancelled)
    FERRY_FIELDS_DECLARED()

    Cancelled() = default;
    explicit Cancelled(const std::string& what) : Exception(what) {}
};

}    // namespace ferry
