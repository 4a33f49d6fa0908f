#include <ferry/serialization/exception/Cause.hpp>

#include <vector>

namespace ferry {

namespace {

/// While a chain is let go on this thread: the links that are still to go.
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
        next = nullptr;    // whatever it causes to go is put on the list
    }
    waiting = nullptr;
}

}    // namespace ferry
