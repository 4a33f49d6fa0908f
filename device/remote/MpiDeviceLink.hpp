#pragma once

#include <ferry/device/remote/DeviceLink.hpp>

namespace ferry {

/// The link of a program whose MPI takes pointers of devices ("CUDA-aware"): MPI_Isend and MPI_Irecv get them. A program makes a link only
/// where its MPI does. MPIX_Query_cuda_support() of Open MPI (<mpi-ext.h>) says so, as does the info key mpi_memory_alloc_kinds of MPI 4.1.
/// With another MPI and a CUDA device, the process ends by a signal. Host and OpenCL devices may use any MPI.
///
/// All ranks of the connector make the link together.
/// Errors: UsageError when the ranks are threads or simulated, or Ferry was built without MPI. MpiError.
class MpiDeviceLink final : public DeviceLink {
public:
    explicit MpiDeviceLink(Connector& connector);
    ~MpiDeviceLink() override;

private:
    struct Communicator;

    std::unique_ptr<LinkTransfer> beginSend(int to, std::int32_t number, const std::byte* bytes, std::size_t count) override;
    std::unique_ptr<LinkTransfer> beginReceive(int from, std::int32_t number, std::byte* bytes, std::size_t count) override;

    std::unique_ptr<Communicator> communicator_;
};

}    // namespace ferry
