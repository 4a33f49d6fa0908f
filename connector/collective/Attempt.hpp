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

/// The contribution of a rank to a collective when making it may fail: the value, or the exception. So no other rank waits for it, and
/// the exception is thrown where the value was needed. The class travels as any other.
template <class T>
struct Attempt {
    T value{};
    std::vector<PackedException> failure;    ///< one, or none
    FERRY_FIELDS(value, failure)

    /// Keeps the value that the function returns, or the exception that it throws.
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

    /// The value, or throws what failed.
    T take(const ObjectFactory& factory) {
        if (!failure.empty()) std::rethrow_exception(failure.front().rebuild(factory));
        return std::move(value);
    }
};

}    // namespace ferry::detail
