#pragma once

#include <functional>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>

#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/framework/parcel/ValueMessage.hpp>
#include <ferry/framework/slave/Done.hpp>
#include <ferry/framework/slave/Task.hpp>
#include <ferry/framework/slave/TaskTraits.hpp>
#include <ferry/framework/slave/Team.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry {

namespace detail {

class SlaveLoop;

}    // namespace detail

/// The work of the slaves of a job: a handler for each class of task, and a function that prepares the slave.
///
/// One definition serves every slave. With threads instead of MPI all slaves share it: handlers run at the same time and must not change
/// what they captured. Data that belongs to one slave is made by setUp.
class Slave {
public:
    /// Sets the handler for tasks of class Request: `Reply handler(const Request&)` or `Reply handler(const Request&, Task&)`.
    /// Request is a plain struct, any other class whose objects travel as values, or a Message. It names its Reply, which is any type that
    /// travels. A handler that returns nothing belongs to a task whose Reply is void or Done.
    /// A handler that takes (const Request&, Team&) is for tasks that several slaves do together (Team).
    /// An exception that leaves the handler arrives at the master's Future::get.
    template <class Request, class Handler>
    Slave& on(Handler handler) {
        using Traits = detail::HandlerTraits<Request, Handler>;
        using Reply = typename Traits::Reply;
        if constexpr (Traits::isSound) {
            detail::registerTask<Request>();
            if constexpr (std::is_base_of_v<Message, Reply>) ObjectFactory::global().add<Reply>();
            handlers_[detail::taskIdOf<Request>()] = {
                Traits::takesTeam, [handler](const Message& message, Task& task, Team* team) -> std::unique_ptr<Message> {
                    const Request& request = detail::taskIn<Request>(message);
                    if constexpr (Traits::returnsNothing) {
                        Traits::call(handler, request, task, team);
                        return std::make_unique<Done>();
                    } else if constexpr (std::is_base_of_v<Message, Reply>) {
                        return std::make_unique<Reply>(Traits::call(handler, request, task, team));
                    } else {
                        return std::make_unique<detail::ValueMessage<Reply>>(std::in_place, Traits::call(handler, request, task, team));
                    }
                }};
        }
        return *this;
    }

    /// Sets a function that runs on each slave before its first task: `std::shared_ptr<T> prepare(Connector&)` or `void
    /// prepare(Connector&)`.
    /// The returned object lives until the slave leaves, however the job ends. Handlers reach it through Task::state<T>().
    template <class Prepare>
    Slave& setUp(Prepare prepare) {
        setUp_ = [prepare](Connector& connector) -> detail::SlaveState {
            using Made = std::invoke_result_t<const Prepare&, Connector&>;
            if constexpr (std::is_void_v<Made>) {
                prepare(connector);
                return detail::SlaveState{};
            } else {
                return detail::SlaveState{prepare(connector), typeid(typename Made::element_type)};
            }
        };
        return *this;
    }

    /// The object of this type that the master shared with the slave of this thread. To be called within handlers.
    /// Errors: UsageError elsewhere, or when the master shared no object of this type.
    template <class T>
    const T& shared() const {
        return currentShared().template get<T>(ObjectFactory::global());
    }

private:
    friend class detail::SlaveLoop;
    struct Handler {
        bool isForTeams = false;
        std::function<std::unique_ptr<Message>(const Message&, Task&, Team*)> run;    ///< team: null unless the handler is for teams
    };

    static detail::SharedStore& currentShared();
    /// Sets the shared objects of the slave that runs on this thread. null: no slave runs on it.
    static void setCurrentShared(detail::SharedStore* shared) noexcept;

    std::map<detail::ClassId, Handler> handlers_;
    std::function<detail::SlaveState(Connector&)> setUp_;
};

}    // namespace ferry
