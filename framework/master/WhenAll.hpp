#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/framework/master/Future.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>

namespace ferry {

namespace detail {

template <class T>
using AllOf = std::conditional_t<std::is_void_v<T>, void, std::vector<typename Promised<T>::Stored>>;

/// Collects the replies of futures that are waited for together.
template <class T>
struct Gathered {
    std::vector<std::optional<typename Promised<T>::Stored>> values;
    std::vector<std::exception_ptr> failures;
    std::size_t missingCount = 0;
    std::shared_ptr<Promised<AllOf<T>>> promised = std::make_shared<Promised<AllOf<T>>>();

    void take(std::size_t place, Completion& source, T (*read)(Completion&, TaskDesk), TaskDesk desk) {
        source.isLookedAt = true;
        failures[place] = source.failure;
        if (source.failure) return;
        try {
            if constexpr (!std::is_void_v<T>) values[place].emplace(read(source, desk));
        } catch (ForcedUnwind&) {
            throw;
        } catch (...) {
            failures[place] = std::current_exception();    // a reply that cannot be read
        }
    }

    /// Completes the future in any case: it runs in the wait of another future, which is not to get its exceptions.
    void finish(TaskDesk desk) {
        std::exception_ptr first;
        for (const std::exception_ptr& failure : failures) {
            if (!failure) continue;
            if (first) logFurtherFailure(failure);
            if (!first) first = failure;
        }
        if (first) return desk.complete(*promised, first);
        try {
            promised->value.emplace();
            if constexpr (!std::is_void_v<T>) {
                promised->value->reserve(values.size());
                for (auto& value : values) promised->value->push_back(std::move(*value));
            }
        } catch (ForcedUnwind&) {
            throw;
        } catch (...) {    // a reply whose move throws, or a lack of memory
            return desk.complete(*promised, std::current_exception());
        }
        desk.complete(*promised);
    }
};

}    // namespace detail

/// A future of all replies, in the order of the futures. It is done when the last reply has come. For Future<void> it is a Future<void>.
/// If tasks fail, the exception is that of the first failed future in this order; the other failures are logged.
/// The given futures are empty afterwards. Errors: UsageError for an empty future, and for an empty list: a future belongs to a master, and
/// an empty list does not say to which one.
template <class T>
Future<detail::AllOf<T>> whenAll(std::vector<Future<T>> futures) {
    using Access = detail::FutureAccess;
    if (futures.empty()) detail::failEmptyList();
    const detail::TaskDesk desk = Access::deskOf(futures.front());
    const auto gathered = std::make_shared<detail::Gathered<T>>();
    gathered->values.resize(futures.size());
    gathered->failures.resize(futures.size());
    gathered->missingCount = futures.size();
    for (const Future<T>& future : futures) {
        Access::deskOf(future);    // none is empty
        gathered->promised->sources.push_back(Access::completionOf(future));
    }
    for (std::size_t i = 0; i < futures.size(); ++i) {
        const auto follow = [gathered, i, take = Access::takeOf(futures[i]), desk](detail::Completion& source) {
            gathered->take(i, source, take, desk);
            if (--gathered->missingCount == 0) gathered->finish(desk);
        };
        desk.whenDone(Access::completionOf(futures[i]), follow, detail::Completion::FunctionOf::Ferry);
        Access::release(futures[i]);
    }
    return Future<detail::AllOf<T>>(desk, gathered->promised);
}

/// A future of the index of the first future whose task is done or has failed. The given futures stay as they are.
/// Errors: UsageError for an empty list or an empty future.
template <class T>
Future<std::size_t> whenAny(const std::vector<Future<T>>& futures) {
    using Access = detail::FutureAccess;
    if (futures.empty()) detail::failEmptyList();
    const detail::TaskDesk desk = Access::deskOf(futures.front());
    const auto promised = std::make_shared<detail::Promised<std::size_t>>();
    for (const Future<T>& future : futures) {
        Access::deskOf(future);    // none is empty
        promised->sources.push_back(Access::completionOf(future));
    }
    for (std::size_t i = 0; i < futures.size(); ++i) {
        desk.whenDone(
            Access::completionOf(futures[i]),
            [promised, i, desk](detail::Completion&) {
                if (promised->isDone) return;
                promised->value = i;
                desk.complete(*promised);
            },
            detail::Completion::FunctionOf::Ferry);
    }
    return Future<std::size_t>(desk, promised);
}

}    // namespace ferry
