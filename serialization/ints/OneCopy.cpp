#include <ferry/serialization/ints/OneCopy.hpp>

#include <dlfcn.h>
#include <unistd.h>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

// Two copies do not know each other, but they share the environment of their process.
constexpr const char* variable = "FERRY_COPY";

const char* fileWith(const void* address) noexcept {
    Dl_info info{};
    return ::dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "a file without a name";
}

/// The library that guards plain MPI programs contains its own copy of Ferry. The program's copy never meets that one.
bool isOfGuard(const char* file) noexcept { return std::string_view(file).find("libferry_guard") != std::string_view::npos; }

/// Writes a line to standard error. No lower layer can report errors, so this layer writes this one line itself.
void say(const std::string& line) noexcept {
    if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;    // an error here cannot be reported
}

}    // namespace

void noteRegistryOfThisCopy(const void* registry) {
    // A program inherits its environment, also from an earlier program of the same process.
    const std::string start = fmt::format("{:x}:", platform::numberOfThisStart());
    const char* const said = std::getenv(variable);
    const char* const file = fileWith(registry);
    if (isOfGuard(file)) return;
    if (said == nullptr || !std::string_view(said).starts_with(start)) {
        ::setenv(variable, fmt::format("{}{:x}", start, reinterpret_cast<std::uintptr_t>(registry)).c_str(), 1);
        return;
    }
    const auto known = static_cast<std::uintptr_t>(std::strtoull(said + start.size(), nullptr, 16));
    if (known == reinterpret_cast<std::uintptr_t>(registry)) return;
    say(fmt::format(
        "ferry: two copies of Ferry are in this process, in {} and in {}: each knows only its own classes and ranks; let the program "
        "export its symbols (-rdynamic; ENABLE_EXPORTS in CMake), or link Ferry as a shared library\n",
        fileWith(reinterpret_cast<const void*>(known)), file));
}

}    // namespace ferry::detail
