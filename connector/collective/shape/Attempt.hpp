#pragma once

#include <cstdint>
#include <exception>
#include <new>
#include <vector>

#include <ferry/connector/exception/PackedException.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry::detail {

/// A rank's contribution to a collective when making it may fail: the value, or the exception that was thrown instead. So no other rank
/// waits in vain. The exception is thrown where the value was needed. The value travels as ints that take() reads. So a value that cannot
/// be read is an error of take(), and not of the collective.
template <class T>
struct Attempt {
    std::vector<std::int32_t>
        ints;    ///< whether the function failed, then the value or the exception; empty: there was no memory for them
    FERRY_FIELDS(ints)

    /// Holds a value. Errors: those of writing the value.
    static Attempt of(const T& value) {
        return written([&](IntWriter& out) { out << false << value; });
    }

    /// Calls the function, and keeps its value or its exception. A ForcedUnwind passes through.
    template <class Function>
    static Attempt at(Function function) {
        try {
            return of(function());
        } catch (ForcedUnwind&) {
            throw;
        } catch (...) {
            return failed();
        }
    }

    bool hasFailed() const noexcept { return ints.empty() || ints.front() != 0; }

    /// Returns the value, or throws the exception of the function. Errors: those of reading the value.
    T take(const ObjectFactory& factory) const {
        if (ints.empty()) throw std::bad_alloc();
        IntReader in(ints, factory);
        bool isFailure = false;
        in >> isFailure;
        if (isFailure) {
            PackedException failure;
            in >> failure;
            std::rethrow_exception(failure.rebuild(factory));
        }
        T value{};
        in >> value;
        in.expectEnd();
        return value;
    }

private:
    template <class Write>
    static Attempt written(const Write& write) {
        IntBuffer buffer;
        {
            IntWriter out(buffer);
            write(out);
        }
        return {std::vector<std::int32_t>(buffer.data(), buffer.data() + buffer.ownSize())};
    }

    /// Holds the exception that is being handled.
    static Attempt failed() {
        try {
            return written([](IntWriter& out) { out << true << PackedException(std::current_exception()); });
        } catch (const std::bad_alloc&) {
            return {};
        }
    }
};

}    // namespace ferry::detail
