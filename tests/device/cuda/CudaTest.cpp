#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/device.hpp>

// The CUDA runtime. Without a driver it says so; with a device it copies there and back.

TEST_CASE("CUDA: without a driver or a device, cuda() throws NoDevice, and any() is the host") {
    try {
        ferry::Device device = ferry::Device::cuda();
        CHECK(device.name().find("CUDA") == 0);
        CHECK(ferry::Device::any().name() == device.name());
    } catch (const ferry::DeviceError& e) {
        CHECK(e.problem() == ferry::DeviceProblem::NoDevice);
        CHECK(std::string(e.what()).find("looking for devices") != std::string::npos);
        CHECK(ferry::Device::any().name() == "host");
    }
}

TEST_CASE("CUDA: copies go to a device and back") {
    try {
        ferry::Device device = ferry::Device::cuda();
        std::vector<std::vector<double>> values{{1, 2}, std::vector<double>(100'000, 3)};
        auto there = device.copy(values);
        values[0][1] = 20;
        values[1][99'999] = 30;
        there.fetch();
        CHECK(values[0][1] == 2);
        CHECK(values[1][99'999] == 3);
        CHECK(device.transfers().toDevice == 1);
    } catch (const ferry::DeviceError& e) {
        CHECK(e.problem() == ferry::DeviceProblem::NoDevice);
    }
}
