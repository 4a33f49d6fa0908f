#pragma once

#include <exception>
#include <utility>
#include <vector>

#include <ferry/connector/exception/PackedException.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry::detail {

/// A rank's contribution to a collective when making it may fail: the value, or the exception that was thrown instead. So no other rank
/// waits in vain. The exception is thrown where the value was needed. Attempt travels between ranks like any other class.
template <class T>
struct Attempt {
    T value{};
    std::vector<PackedException> failure;    ///< the exception; empty: there is a value
    FERRY_FIELDS(value, failure)

    /// Calls the function, and keeps its value or its exception. A ForcedUnwind passes through.
    template <class Function>
    static Attempt at(Function function) {
        Attempt attempt;
        try {
            attempt.value = function();
        } catch (ForcedUnwind&) {
            throw;
        } catch (...) {
            attempt.failure.emplace_back(std::current_exception());
        }
        return attempt;
    }

    /// Returns the value, or throws the exception of the function.
    T take(const ObjectFactory& factory) {
        if (!failure.empty()) std::rethrow_exception(failure.front().rebuild(factory));
        return std::move(value);
    }
};

}    // namespace ferry::detail
