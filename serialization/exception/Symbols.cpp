#include <ferry/serialization/exception/Symbols.hpp>

#include <dlfcn.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>

#include <boost/core/demangle.hpp>

#ifdef FERRY_HAS_BACKTRACE
#include <backtrace.h>
#endif

#include <ferry/serialization/exception/OriginLimits.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::detail {

namespace {

using Frames = std::vector<StackFrame>;

std::string withinLimit(std::string text) {
    text.resize(std::min(text.size(), originLimits::textBytes));
    return text;
}

/// Returns the name without the compiler's suffixes for parts of functions, such as ".cold".
std::string readableName(const char* symbol) {
    if (symbol == nullptr) return std::string();
    const std::string name(symbol, std::strcspn(symbol, "."));
    return withinLimit(readableTypeName(boost::core::demangle(name.c_str())));
}

/// Sets the module of all frames. Sets the function of the outermost frame if it is unknown and exported.
void addModule(Frames& frames, std::uintptr_t address) {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<void*>(address), &info) == 0) return;
    for (StackFrame& frame : frames) {
        frame.module = withinLimit(info.dli_fname != nullptr ? info.dli_fname : "");
        frame.offset = address - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    }
    if (frames.back().function.empty()) frames.back().function = readableName(info.dli_sname);
}

#ifdef FERRY_HAS_BACKTRACE

void ignoreError(void*, const char*, int) {}

/// Null if the debug information of the program cannot be read.
backtrace_state* debugInformation() {
    static backtrace_state* const state = ::backtrace_create_state(nullptr, 1, ignoreError, nullptr);
    return state;
}

int addFrame(void* frames, std::uintptr_t, const char* file, int line, const char* function) {
    static_cast<Frames*>(frames)->push_back(
        StackFrame{readableName(function), withinLimit(file != nullptr ? file : ""), line, std::string(), 0});
    return 0;
}

void setFunction(void* frame, std::uintptr_t, const char* symbol, std::uintptr_t, std::uintptr_t) {
    // Only the symbol has the whole signature. But it belongs to the surrounding function, not to a function inlined into it.
    if (symbol != nullptr) static_cast<StackFrame*>(frame)->function = readableName(symbol);
}

Frames debugFrames(std::uintptr_t address) {
    Frames frames;
    if (backtrace_state* state = debugInformation()) {
        ::backtrace_pcinfo(state, address, addFrame, ignoreError, &frames);
        if (frames.empty()) frames.emplace_back();
        ::backtrace_syminfo(state, address, setFunction, ignoreError, &frames.back());
    }
    return frames;
}

#else

Frames debugFrames(std::uintptr_t) { return {}; }

#endif

Frames framesAt(void* returnAddress) {
    // The call is before its return address. The return address may belong to another line or even another function.
    const auto address = reinterpret_cast<std::uintptr_t>(returnAddress) - 1;
    Frames frames = debugFrames(address);
    if (frames.empty()) frames.emplace_back();
    addModule(frames, address);
    return frames;
}

/// Keeps the results, because programs that throw often throw from few places.
class Cache {
public:
    Frames at(void* returnAddress) {
        const std::lock_guard lock(mutex_);
        const auto known = known_.find(returnAddress);
        if (known != known_.end()) return known->second;
        constexpr std::size_t maxAddresses = 20'000;
        if (known_.size() >= maxAddresses) known_.clear();
        return known_.emplace(returnAddress, framesAt(returnAddress)).first->second;
    }

private:
    std::mutex mutex_;
    std::unordered_map<void*, Frames> known_;
};

}    // namespace

Frames symbolise(std::span<void* const> returnAddresses) {
    static Cache& cache = *new Cache;    // never destroyed, because reports are written until the very end of the program
    Frames stack;
    for (void* const address : returnAddresses) {
        if (stack.size() >= originLimits::frames) break;
        for (StackFrame& frame : cache.at(address)) stack.push_back(std::move(frame));
    }
    stack.resize(std::min(stack.size(), originLimits::frames));
    return stack;
}

}    // namespace ferry::detail
