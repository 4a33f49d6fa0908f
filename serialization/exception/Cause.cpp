#include <ferry/serialization/exception/Cause.hpp>

#include <vector>

namespace ferry::detail {

namespace {

/// Set while a chain is being released on this thread: the links still to be released.
thread_local std::vector<std::exception_ptr>* waiting = nullptr;

}    // namespace

void Cause::release(std::exception_ptr exception) noexcept {
    if (waiting != nullptr) {
        waiting->push_back(std::move(exception));
        return;
    }
    std::vector<std::exception_ptr> links;
    waiting = &links;
    exception = nullptr;
    while (!links.empty()) {
        std::exception_ptr next = std::move(links.back());
        links.pop_back();
        next = nullptr;    // links that this releases are added to the list
    }
    waiting = nullptr;
}

}    // namespace ferry::detail
