#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include <ferry/tests/fuzz/FuzzTarget.hpp>

// libFuzzer's entry: one program for each target, whose name is FERRY_FUZZ_TARGET.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t byteCount) {
    static const std::unique_ptr<ferry::test::FuzzTarget> target = ferry::test::makeFuzzTarget(FERRY_FUZZ_TARGET);
    std::vector<std::int32_t> ints(byteCount / sizeof(std::int32_t));
    if (!ints.empty()) std::memcpy(ints.data(), bytes, ints.size() * sizeof(std::int32_t));
    target->run(ints);
    return 0;
}
