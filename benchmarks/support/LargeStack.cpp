#include <ferry/benchmarks/support/LargeStack.hpp>

#include <exception>
#include <system_error>

#include <pthread.h>

namespace bench {

namespace {

struct Call {
    const std::function<void()>& function;
    std::exception_ptr exception;
};

void* runCall(void* argument) {
    Call& call = *static_cast<Call*>(argument);
    try {
        call.function();
    } catch (...) {
        call.exception = std::current_exception();
    }
    return nullptr;
}

void check(int error, const char* what) {
    if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

}    // namespace

void runOnLargeStack(std::size_t stackBytes, const std::function<void()>& function) {
    Call call{function, nullptr};
    pthread_attr_t attributes;
    check(pthread_attr_init(&attributes), "pthread_attr_init");
    check(pthread_attr_setstacksize(&attributes, stackBytes), "pthread_attr_setstacksize");
    pthread_t thread{};
    const int error = pthread_create(&thread, &attributes, &runCall, &call);
    pthread_attr_destroy(&attributes);
    check(error, "pthread_create");
    check(pthread_join(thread, nullptr), "pthread_join");
    if (call.exception) std::rethrow_exception(call.exception);
}

}    // namespace bench
