// A copy on each device that there is.
#include <ferry/device.hpp>

#include <cstdio>
#include <vector>

namespace {

void say(ferry::Device (*make)()) {
    try {
        std::printf("device %s\n", make().name().c_str());
    } catch (const ferry::DeviceError& e) {
        std::printf("%s\n", e.what());
    }
}

}    // namespace

int main() {
    say(&ferry::Device::cuda);
    say(&ferry::Device::openCl);
    ferry::Device device = ferry::Device::host();
    std::vector<int> values{1, 2, 3};
    auto there = device.copy(values);
    device.launch({values.size()}, [](std::size_t i, std::vector<int>* v, int by) { (*v)[i] += by; }, there, 2);
    there.fetch();
    std::printf("%d %d %d\n", values[0], values[1], values[2]);
}
