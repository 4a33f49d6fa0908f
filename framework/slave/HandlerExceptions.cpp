#include <ferry/framework/slave/HandlerExceptions.hpp>

#include <algorithm>
#include <utility>

#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>

namespace ferry::detail {

HandlerExceptions::~HandlerExceptions() {
    letThrough();
    detail::mailboxOf(connector_).due().forget([this](const DueFailures::Due& due) {
        const bool isRaised = std::find(raised_.begin(), raised_.end(), due.exception) != raised_.end();
        if (!isRaised)
            ifMemory([&] { logLine(spdlog::level::warn, "no handler got an exception of another rank: {}", report(due.exception)); });
        return true;
    });
}

void HandlerExceptions::hold() noexcept { detail::mailboxOf(connector_).due().hold(true); }
void HandlerExceptions::letThrough() noexcept { detail::mailboxOf(connector_).due().hold(false); }

void HandlerExceptions::raise(std::exception_ptr exception) {
    raised_.push_back(exception);
    detail::mailboxOf(connector_).due().throwSoon(std::move(exception), 0);
}

void HandlerExceptions::endTask() {
    hold();
    if (raised_.empty()) return;
    detail::mailboxOf(connector_).due().forget([this](const DueFailures::Due& due) {
        return std::find(raised_.begin(), raised_.end(), due.exception) != raised_.end();
    });
    raised_.clear();
}

}    // namespace ferry::detail
