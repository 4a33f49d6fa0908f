// The link in a Ferry that is built without MPI (FERRY_WITH_MPI=OFF).

#include <ferry/device/remote/MpiDeviceLink.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

struct MpiDeviceLink::Communicator {};

MpiDeviceLink::MpiDeviceLink(Connector& /*connector*/) {
    throw UsageError("an MpiDeviceLink needs MPI, and Ferry was built without it (FERRY_WITH_MPI=OFF): send the graph by the connector");
}
MpiDeviceLink::~MpiDeviceLink() = default;
std::unique_ptr<LinkTransfer> MpiDeviceLink::beginSend(int, std::int32_t, const std::byte*, std::size_t) { return nullptr; }
std::unique_ptr<LinkTransfer> MpiDeviceLink::beginReceive(int, std::int32_t, std::byte*, std::size_t) { return nullptr; }

}    // namespace ferry
