#pragma once

#include <stdexcept>
#include <string>

#include <ferry/device.hpp>
#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/exception/Origin.hpp>

// Parts of failures of devices, for the tests of all folders of devices.

namespace ferry::test {

/// The value of an entry of the context; empty: there is no such entry.
inline std::string contextOf(const Origin& origin, const std::string& key) {
    for (const auto& entry : origin.context) {
        if (entry.key == key) return entry.value;
    }
    return "";
}
inline std::string contextOf(const Exception& e, const std::string& key) { return contextOf(e.origin(), key); }

/// Calls the function. Returns the text of Ferry's exception.
template <class Function>
std::string errorOf(Function function) {
    try {
        function();
    } catch (const Exception& e) {
        return e.what();
    }
    return "no exception";
}

/// Calls the function. Returns the kind of its DeviceError. Errors: std::logic_error when there is none.
template <class Function>
DeviceProblem problemOf(Function function) {
    try {
        function();
    } catch (const DeviceError& e) {
        return e.problem();
    }
    throw std::logic_error("no DeviceError");
}

}    // namespace ferry::test
