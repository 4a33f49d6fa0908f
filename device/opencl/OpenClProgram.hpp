#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/device/opencl/OpenClRuntime.hpp>
#include <ferry/device/program/KernelText.hpp>
#include <ferry/device/runtime/Runtime.hpp>

struct _cl_kernel;
struct _cl_program;

namespace ferry::detail {

/// Kernels that the compiler of an OpenCL device has compiled.
class OpenClProgram final : public RuntimeProgram {
public:
    /// Errors: UsageError for a text that does not compile, and for a struct that lies otherwise on the device.
    OpenClProgram(OpenClRuntime& runtime, KernelText text);
    ~OpenClProgram() override;

    void launch(QueueNumber queue, std::string_view kernel, const KernelRange& range, std::span<const KernelArgument> arguments) override;

private:
    /// A parameter of a kernel.
    struct Parameter {
        std::string type;    ///< empty where the device does not tell
        bool isAddress = false;
        bool isKnown = false;
    };
    struct Kernel {
        _cl_kernel* handle = nullptr;
        std::vector<Parameter> parameters;    ///< without the two of the record
    };

    void build();
    void checkLayout();
    Kernel& find(std::string_view name);
    Kernel load(const std::string& name) const;
    void setArguments(std::string_view name, const Kernel& kernel, std::span<const KernelArgument> arguments) const;
    void close() noexcept;

    OpenClRuntime& runtime_;
    std::shared_ptr<const KernelText> text_;
    _cl_program* program_ = nullptr;
    std::map<std::string, Kernel, std::less<>> kernels_;
};

}    // namespace ferry::detail
