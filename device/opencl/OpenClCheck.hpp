#pragma once

#include <cstdint>
#include <string_view>

namespace ferry::detail {

// Results of OpenCL's functions. CL/cl.h stays out of the library's headers.

/// Throws unless the result means success. Errors: DeviceError with the problem that fits the result.
void checkOpenCl(std::int32_t result, std::string_view device, std::string_view action);

/// Gives an object of OpenCL back when its owner ends.
template <class Handle, std::int32_t (*release)(Handle)>
class OpenClHandle {
public:
    OpenClHandle() = default;
    explicit OpenClHandle(Handle handle) noexcept : handle_(handle) {}
    OpenClHandle(OpenClHandle&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
    OpenClHandle& operator=(OpenClHandle&& other) noexcept {
        const Handle own = handle_;
        handle_ = other.handle_;
        other.handle_ = own;
        return *this;
    }
    ~OpenClHandle() {
        if (handle_ != nullptr) static_cast<void>(release(handle_));
    }

    Handle get() const noexcept { return handle_; }
    /// Leaves the object to the caller.
    void disown() noexcept { handle_ = nullptr; }

private:
    Handle handle_ = nullptr;
};

}    // namespace ferry::detail
