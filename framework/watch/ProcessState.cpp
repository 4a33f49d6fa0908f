#include <ferry/framework/watch/ProcessState.hpp>

namespace ferry::detail {

std::uint64_t hostIdentity() {
    constexpr std::uint64_t basis = 0xcbf29ce484222325;    // FNV-1a
    constexpr std::uint64_t prime = 0x100000001b3;
    std::uint64_t hash = basis;
    for (const char letter : platform::hostText()) hash = (hash ^ static_cast<unsigned char>(letter)) * prime;
    return hash;
}

}    // namespace ferry::detail
