#include <ferry/serialization/ints/OneCopy.hpp>

#include <dlfcn.h>
#include <sys/auxv.h>
#include <unistd.h>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace ferry::detail {

namespace {

// Two copies do not know each other, but they share the environment of their process.
constexpr const char* variable = "FERRY_COPY";

constexpr std::size_t randomBytes = 16;    // given by the system to each program that it starts

/// Returns another number for each start of a program, even in the same process. Needed because a program inherits its environment.
std::uint32_t numberOfThisStart() noexcept {
    std::uint32_t hash = 2166136261u ^ static_cast<std::uint32_t>(::getpid());
    const auto* const random = reinterpret_cast<const unsigned char*>(::getauxval(AT_RANDOM));
    for (std::size_t i = 0; random != nullptr && i < randomBytes; ++i) hash = (hash ^ random[i]) * 16777619u;
    return hash;
}

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
    const std::string start = fmt::format("{:x}:", numberOfThisStart());
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
