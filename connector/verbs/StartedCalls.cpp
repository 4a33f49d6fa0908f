#include <ferry/connector/verbs/StartedCalls.hpp>

namespace ferry::detail {

Pending<void> StartedCalls::startBarrier() {
    return detail::startCollective<void>(collectives_, Operation::Barrier, 0, Collectives::carriesNothing,
                                         [](auto& own) { return detail::startedBarrier(own); });
}

}    // namespace ferry::detail
