#define CL_TARGET_OPENCL_VERSION 200

#include <ferry/device/opencl/OpenClCheck.hpp>

#include <CL/cl.h>
#include <fmt/format.h>

#include <ferry/device/failure/DeviceError.hpp>

namespace ferry::detail {

namespace {

constexpr cl_int NoPlatform = -1001;    // CL_PLATFORM_NOT_FOUND_KHR of the loader

DeviceProblem problemOf(cl_int result) noexcept {
    switch (result) {
        case NoPlatform:
        case CL_DEVICE_NOT_FOUND:
        case CL_INVALID_PLATFORM: return DeviceProblem::NoDevice;
        case CL_MEM_OBJECT_ALLOCATION_FAILURE:
        case CL_OUT_OF_RESOURCES:
        case CL_OUT_OF_HOST_MEMORY:
        case CL_INVALID_BUFFER_SIZE: return DeviceProblem::OutOfDeviceMemory;
        case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: return DeviceProblem::KernelFault;
        default: return DeviceProblem::DeviceLost;
    }
}

const char* nameOf(cl_int result) noexcept {
    switch (result) {
        case NoPlatform: return "no platform of OpenCL is installed";
        case CL_DEVICE_NOT_FOUND: return "CL_DEVICE_NOT_FOUND";
        case CL_DEVICE_NOT_AVAILABLE: return "CL_DEVICE_NOT_AVAILABLE";
        case CL_MEM_OBJECT_ALLOCATION_FAILURE: return "CL_MEM_OBJECT_ALLOCATION_FAILURE";
        case CL_OUT_OF_RESOURCES: return "CL_OUT_OF_RESOURCES";
        case CL_OUT_OF_HOST_MEMORY: return "CL_OUT_OF_HOST_MEMORY";
        case CL_INVALID_VALUE: return "CL_INVALID_VALUE";
        case CL_INVALID_WORK_GROUP_SIZE: return "CL_INVALID_WORK_GROUP_SIZE";
        case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: return "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
        default: return "an error of OpenCL";
    }
}

}    // namespace

void checkOpenCl(std::int32_t result, std::string_view device, std::string_view action) {
    if (result == CL_SUCCESS) return;
    throw DeviceError(problemOf(result), device, fmt::format("{} failed: {} ({})", action, nameOf(result), result));
}

}    // namespace ferry::detail
