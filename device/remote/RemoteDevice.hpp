#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <ferry/connector/Connector.hpp>
#include <ferry/device/Device.hpp>
#include <ferry/device/DeviceGraph.hpp>
#include <ferry/device/remote/DeviceLink.hpp>
#include <ferry/device/remote/TravellingArrays.hpp>

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

namespace detail {

/// A graph of a device whose large arrays travel by a link: all else.
template <class T>
struct DeviceGraphHead {
    DeviceImage image;
    std::int32_t number = 0;    ///< of the transfer of the arrays

    void writeToInts(IntWriter& out) const {
        image.writeHeadToInts(out);
        out << number;
    }
    void readFromInts(IntReader& in) {
        image.readHeadFromInts(in);
        in >> number;
        if (number < 0) in.fail("a number of a transfer", std::to_string(number));
    }
};

template <class T, class Copy>
void sendGraphByLink(Connector& connector, int to, const Copy& there, DeviceLink& link, Tag tag) {
    const PooledArena& arena = DeviceImages::arenaOf(there);
    const DeviceGraphHead<T> head{arena->leaveWithoutArrays(), link.nextNumber()};
    std::shared_ptr<TravellingArrays> arrays;
    if (head.image.arrayBytes != 0) arrays = std::make_shared<TravellingArrays>(arena, head.image);
    connector.send(to, head, tag);
    if (arrays != nullptr) link.send(to, head.number, arrays->bytes(), arrays->count(), arrays);
}

}    // namespace detail

/// Sends the present objects of a copy to the device of another rank, by a link that all ranks have. Objects with pointers and all that
/// lies between them travel as a message, through both hosts. The bytes behind the last pointer travel by the link when they are 64 KiB at
/// least. All arrays of numbers with 64 KiB and more lie there. Returns at once. The copy may be changed or dropped then, because the
/// device keeps a copy of the arrays until they have left.
///
///     ferry::MpiDeviceLink link(connector);
///     if (connector.rank() == 0) ferry::sendDeviceGraph(connector, 1, there, link);
///     if (connector.rank() == 1) got = ferry::receiveDeviceGraph<Simulation>(connector, 0, device, link);
///     link.finish(connector);
///
/// Errors: those of deviceGraph() and of Connector::send().
template <class T>
void sendDeviceGraph(Connector& connector, int to, const DeviceCopy<T>& there, DeviceLink& link, Tag tag = Tag()) {
    detail::sendGraphByLink<std::remove_const_t<T>>(connector, to, there, link, tag);
}
template <class T>
void sendDeviceGraph(Connector& connector, int to, const DeviceGraph<T>& there, DeviceLink& link, Tag tag = Tag()) {
    detail::sendGraphByLink<T>(connector, to, there, link, tag);
}

/// Receives what another rank sent by ferry::sendDeviceGraph, with the same link.
/// Errors: those of receiveDeviceGraph() without a link, after the arrays have come, so that the sender does not wait for them. LostRank
/// when the sender is lost before its arrays have come.
template <class T>
DeviceGraph<T> receiveDeviceGraph(Connector& connector, int from, Device& device, DeviceLink& link, Tag tag = Tag()) {
    auto arrival = connector.receiveAny<detail::DeviceGraphHead<T>>({.from = from, .tag = tag});
    const std::size_t arrayBytes = arrival.value.image.arrayBytes;
    std::shared_ptr<DeviceGraph<T>> graph;
    try {
        graph =
            std::make_shared<DeviceGraph<T>>(detail::DeviceImages::arrive(device, DeviceGraphLetter<T>{std::move(arrival.value.image)}));
    } catch (...) {
        if (arrayBytes != 0) detail::dropArrays(connector, link, arrival.from, arrival.value.number, arrayBytes);
        throw;
    }
    if (arrayBytes != 0)
        detail::receiveArrays(connector, link, arrival.from, arrival.value.number, detail::DeviceImages::arenaOf(*graph), graph);
    return std::move(*graph);
}

}    // namespace ferry
