#pragma once

/// Objects on devices of several ranks: a copy on the device of one rank goes to the device of another one.
///
///     #include <ferry/remoteDevice.hpp>
///
///     void pass(ferry::Connector& connector, ferry::Device& device, std::vector<double>& values) {
///         if (connector.rank() == 0) {
///             auto there = device.copy(values);
///             connector.send(1, ferry::deviceGraph(there));
///         } else {
///             auto got = ferry::receiveDeviceGraph<std::vector<double>>(connector, 0, device);
///             device.run(1, [v = got.get()](std::size_t) { (*v)[0] += 1; });
///         }
///     }

#include <ferry/connector.hpp>
#include <ferry/device.hpp>
#include <ferry/device/remote/DeviceLink.hpp>
#include <ferry/device/remote/MpiDeviceLink.hpp>
#include <ferry/device/remote/RemoteDevice.hpp>
