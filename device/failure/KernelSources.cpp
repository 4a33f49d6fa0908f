#include <ferry/device/failure/KernelSources.hpp>

#include <algorithm>
#include <mutex>

namespace ferry::detail {

namespace {

struct Sources {
    std::mutex mutex;
    std::vector<KernelSource> all;
};
Sources& sources() {
    static Sources& one = *new Sources;    // sources add themselves before main
    return one;
}

}    // namespace

bool noteKernelSource(KernelSource source) {
    const std::lock_guard lock(sources().mutex);
    sources().all.push_back(source);
    return true;
}

std::vector<KernelSource> kernelSourcesFrom(std::size_t first) {
    const std::lock_guard lock(sources().mutex);
    const auto& all = sources().all;
    return {all.begin() + static_cast<std::ptrdiff_t>(std::min(first, all.size())), all.end()};
}

}    // namespace ferry::detail
