#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ferry {

class Connector;

/// A transfer that a DeviceLink has begun.
class LinkTransfer {
public:
    LinkTransfer() = default;
    LinkTransfer(const LinkTransfer&) = delete;
    LinkTransfer& operator=(const LinkTransfer&) = delete;
    virtual ~LinkTransfer() = default;

    /// Moves the transfer on, and does not wait. Returns whether the memory is no longer used.
    virtual bool hasEnded() = 0;
    /// The bytes are not awaited any more. hasEnded() still tells whether the memory is used.
    virtual void giveUp() noexcept {}
};

/// A way between the memories of two devices that leaves the host out, for example an MPI that takes pointers of devices. Ferry sends the
/// large arrays of a graph by the link, and all else by its connector. A program with another way, for example NCCL, derives a class.
///
/// The addresses that a link gets are those of the device for CUDA. For the host as a device they are ordinary addresses, because device
/// addresses are forbidden outside of kernels. For OpenCL they are addresses of a buffer on the host.
///
/// Ownership: keeps the memory of its transfers until they have ended. Memory that is in use when the link ends is kept as long as the
/// process.
/// Threads: used by one thread at a time, with the connector and the devices.
class DeviceLink {
public:
    DeviceLink() = default;
    DeviceLink(const DeviceLink&) = delete;
    DeviceLink& operator=(const DeviceLink&) = delete;
    virtual ~DeviceLink();

    /// Waits until all that was sent has left. Each rank calls finish() before its link and its connector end.
    /// Errors: those of Connector::poll().
    void finish(Connector& connector);

    // For sendDeviceGraph() and receiveDeviceGraph():

    /// Sends bytes to a rank of the connector. number: of the transfer, which the receiver knows.
    void send(int to, std::int32_t number, const std::byte* bytes, std::size_t count, std::shared_ptr<void> memory);
    /// Receives bytes, and waits for them. memory: kept when the wait fails while the bytes arrive.
    /// Errors: those of Connector::poll(). LostRank.
    void receive(Connector& connector, int from, std::int32_t number, std::byte* bytes, std::size_t count, std::shared_ptr<void> memory);
    /// A number for the next transfer that this rank sends.
    std::int32_t nextNumber() noexcept;

protected:
    /// Begins to send. The transfer goes on by itself, or while its rank waits in a call of the connector. All kernels and transfers that
    /// write the bytes have ended. The bytes stay as they are until the transfer has ended.
    virtual std::unique_ptr<LinkTransfer> beginSend(int to, std::int32_t number, const std::byte* bytes, std::size_t count) = 0;
    /// Begins to receive what the rank sends with the number. Nobody else uses the memory until the transfer has ended.
    virtual std::unique_ptr<LinkTransfer> beginReceive(int from, std::int32_t number, std::byte* bytes, std::size_t count) = 0;

    /// Whether a transfer still uses memory. Moves transfers on.
    bool isBusy();

private:
    struct Kept {
        std::unique_ptr<LinkTransfer> transfer;
        std::shared_ptr<void> memory;
    };
    std::vector<Kept> kept_;
    std::int32_t number_ = 0;
};

}    // namespace ferry
