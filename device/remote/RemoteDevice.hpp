#pragma once

#include <utility>

#include <ferry/connector/Connector.hpp>
#include <ferry/device/Device.hpp>
#include <ferry/device/DeviceGraph.hpp>

namespace ferry {

/// Receives what another rank sent by connector.send(rank, ferry::deviceGraph(there)), into the memory of a device of this rank. The graph
/// is staged through the hosts of both ranks.
///
///     auto got = ferry::receiveDeviceGraph<Simulation>(connector, 0, device);
///
/// Errors: those of Connector::receive(). UsageError for a graph with another root. DeviceError (OutOfDeviceMemory).
template <class T>
DeviceGraph<T> receiveDeviceGraph(Connector& connector, int from, Device& device, Tag tag = Tag()) {
    auto letter = connector.receive<DeviceGraphLetter<T>>(from, tag);
    return detail::DeviceImages::arrive(device, std::move(letter));
}

}    // namespace ferry
