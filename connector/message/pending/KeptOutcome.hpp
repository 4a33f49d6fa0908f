#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <ferry/connector/message/pending/Pending.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>

namespace ferry::detail {

/// The value or the failure of an operation that is over. When one operation of waitAll() fails, waitAll() gives back the others, and each
/// one that is over as a KeptOutcome.
template <class T>
class KeptOutcome final : public PendingOperation<T> {
public:
    /// Takes the value of the operation, or its failure. An exception that is not the failure of the operation leaves the operation as it
    /// is; failure() then returns that exception, too.
    void takeFrom(Pending<T>& pending) {
        wasUnderWay_ = pending.isUnderWay();
        try {
            if constexpr (std::is_void_v<T>) {
                pending.get();
                value_.emplace();
            } else {
                value_.emplace(pending.get());
            }
        } catch (ForcedUnwind&) {
            throw;
        } catch (...) {
            failure_ = std::current_exception();
        }
    }

    const std::exception_ptr& failure() const noexcept { return failure_; }

    bool isReady() override { return true; }
    void await() override {}
    T get() override {
        if (failure_) std::rethrow_exception(failure_);
        if constexpr (!std::is_void_v<T>) return std::move(*value_);
    }
    bool hasFailed() const override { return true; }
    void cancel() noexcept override {}

    /// Puts the outcome back into the Pending that it came from, unless there was no operation, or the operation is still there.
    static void giveBack(std::unique_ptr<KeptOutcome> outcome, Pending<T>& pending) noexcept {
        if (outcome->wasUnderWay_ && !pending.isUnderWay()) pending = Pending<T>(std::move(outcome));
    }

private:
    std::optional<PendingResult<T>> value_;
    std::exception_ptr failure_;
    bool wasUnderWay_ = false;
};

}    // namespace ferry::detail
