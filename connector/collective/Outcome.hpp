#pragma once

#include <exception>
#include <optional>
#include <utility>

#include <ferry/connector/exception/PackedException.hpp>
#include <ferry/connector/message/Envelope.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

namespace ferry::detail {

/// The outcome of a rank's part in a collective: a value, or the exception that kept it from one. So a rank that fails keeps no other
/// rank waiting, and the exception is thrown on every rank that needed the value.
template <class T>
class Outcome {
public:
    explicit Outcome(T value) : value_(std::move(value)) {}

    /// Keeps the value that the function returns, or the exception that it throws.
    template <class Function>
    static Outcome of(Function function) {
        Outcome outcome;
        try {
            outcome.value_.emplace(function());
        } catch (ForcedUnwind&) {
            throw;
        } catch (...) {
            outcome.failure_ = std::current_exception();
        }
        return outcome;
    }

    /// The value, or throws what failed. Once.
    T take() { return std::move(value()); }

    /// The value in its place, or throws what failed.
    T& value() {
        if (failure_) std::rethrow_exception(failure_);
        return *value_;
    }

    /// Ready for postInts(). A value that cannot be written becomes a failure.
    IntBuffer pack(Mailbox& mailbox, const Envelope& envelope) {
        return failure_ ? packFailure(mailbox, envelope, failure_) : pack(mailbox, envelope, *value_, failure_);
    }

    /// Packs a value that stays in its place. failure: set to the exception that kept it from being written, if there was one.
    static IntBuffer pack(Mailbox& mailbox, const Envelope& envelope, const T& value, std::exception_ptr& failure) {
        try {
            return mailbox.pack(envelope, [&](IntWriter& out) { out << false << value; });
        } catch (ForcedUnwind&) {
            throw;
        } catch (...) {
            failure = std::current_exception();
        }
        return packFailure(mailbox, envelope, failure);
    }

    /// Reads the outcome that pack() wrote on another rank, or the reason why it cannot be read.
    static Outcome read(const Letter& letter, const ObjectFactory& factory) {
        return of([&] {
            IntReader in(letter.body(), factory);
            bool hasFailed = false;
            in >> hasFailed;
            if (hasFailed) {
                PackedException packed;
                in >> packed;
                in.expectEnd();
                std::rethrow_exception(packed.rebuild(factory));
            }
            requireMadeReady<T>();
            T value{};
            in >> value;
            in.expectEnd();
            return value;
        });
    }

private:
    Outcome() = default;

    static IntBuffer packFailure(Mailbox& mailbox, const Envelope& envelope, const std::exception_ptr& failure) {
        return mailbox.pack(envelope, [&](IntWriter& out) { out << true << PackedException(failure); });
    }

    std::optional<T> value_;
    std::exception_ptr failure_;
};

}    // namespace ferry::detail
