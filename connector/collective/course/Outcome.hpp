#pragma once

#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <ferry/connector/exception/PackedException.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

namespace ferry::detail {

/// The value that a rank hands on in a collective, or the exception because of which there is none. So a failure on one rank keeps no rank
/// waiting. The exception is thrown on every rank that needed the value. Moving an outcome throws nothing, whatever moving a value does.
template <class T>
class Outcome {
public:
    /// Keeps a copy of the value, or the value that is moved here, or the exception of that.
    template <class Source>
        requires(std::constructible_from<T, Source> && !std::same_as<std::remove_cvref_t<Source>, Outcome>)
    explicit Outcome(Source&& source) {
        const auto make = [&]() -> T { return T(std::forward<Source>(source)); };
        keep(make);
    }

    /// Calls the function, and keeps its value or its exception. A ForcedUnwind passes through.
    template <class Function>
    static Outcome of(Function function) {
        Outcome outcome;
        outcome.keep(function);
        return outcome;
    }

    /// Returns the value, or throws the exception. May be called once.
    T take() { return std::move(value()); }

    /// Returns the value where it is, or throws the exception.
    T& value() {
        if (failure_) std::rethrow_exception(failure_);
        return *value_;
    }

    /// Packs the outcome for postInts(). A value that cannot be written becomes a failure.
    IntBuffer pack(Mailbox& mailbox, const Envelope& envelope) {
        return failure_ ? packFailure(mailbox, envelope, failure_) : pack(mailbox, envelope, *value_, failure_);
    }

    /// Packs a value that stays where it is. failure: set to the exception when the value cannot be written.
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

    /// Reads an outcome that pack() wrote on another rank. An outcome that cannot be read becomes a failure.
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
    static constexpr bool movesQuietly = std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>;

    Outcome() = default;

    template <class Function>
    void keep(Function& function) {
        try {
            if constexpr (movesQuietly)
                value_.emplace(function());
            else
                value_.reset(new T(function()));
        } catch (ForcedUnwind&) {
            throw;
        } catch (...) {
            failure_ = std::current_exception();
        }
    }

    static IntBuffer packFailure(Mailbox& mailbox, const Envelope& envelope, const std::exception_ptr& failure) {
        return mailbox.pack(envelope, [&](IntWriter& out) { out << true << PackedException(failure); });
    }

    std::conditional_t<movesQuietly, std::optional<T>, std::unique_ptr<T>> value_;
    std::exception_ptr failure_;
};

}    // namespace ferry::detail
