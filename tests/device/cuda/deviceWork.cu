// The work of a task on the first CUDA device: see lostDevice.cpp.
#include <ferry/device.hpp>

namespace {

struct Numbers {
    int* all = nullptr;
    int count = 0;
    FERRY_FIELDS(ferry::arrayOf(all, count))
};

__global__ void add(Numbers* numbers, int value, int* elsewhere) {
    if (elsewhere != nullptr) *elsewhere = value;
    numbers->all[threadIdx.x] += value;
}

}    // namespace

/// Returns 32 * value. isFaulty: the kernel uses an address that is none.
int workOnDevice(int value, bool isFaulty) {
    static ferry::Device device = ferry::Device::cuda();
    int all[32] = {};
    Numbers numbers{all, 32};
    auto there = device.copy(numbers);
    device.launch({1, 32}, add, there, value, isFaulty ? reinterpret_cast<int*>(8) : nullptr);
    there.fetch();
    int sum = 0;
    for (const int each : all) sum += each;
    return sum;
}
