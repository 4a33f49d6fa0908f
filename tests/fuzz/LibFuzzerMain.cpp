#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include <ferry/tests/fuzz/FuzzTarget.hpp>

// The entry point of libFuzzer. Each target has its own program; FERRY_FUZZ_TARGET is the name of the target.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t byteCount) {
    static const std::unique_ptr<ferry::test::FuzzTarget> target = ferry::test::makeFuzzTarget(FERRY_FUZZ_TARGET);
    std::vector<std::int32_t> ints(byteCount / sizeof(std::int32_t));
    if (!ints.empty()) std::memcpy(ints.data(), bytes, ints.size() * sizeof(std::int32_t));
    target->run(ints);
    return 0;
}
