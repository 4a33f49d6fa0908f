#define CL_TARGET_OPENCL_VERSION 200

#include <ferry/device/opencl/OpenClProgram.hpp>

#include <cstdint>
#include <utility>

#include <CL/cl.h>
#include <fmt/format.h>

#include <ferry/device/failure/DeviceError.hpp>
#include <ferry/device/opencl/OpenClCheck.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

/// A text that OpenCL tells in two calls.
template <class Ask>
std::string toldText(Ask ask) {
    std::size_t bytes = 0;
    if (ask(0, nullptr, &bytes) != CL_SUCCESS || bytes == 0) return {};
    std::string text(bytes, '\0');
    if (ask(bytes, text.data(), nullptr) != CL_SUCCESS) return {};
    text.resize(text.find('\0') == text.npos ? text.size() : text.find('\0'));
    return text;
}

std::string placeOf(const KernelText& text) { return fmt::format("{}:{}", text.file.substr(text.file.rfind('/') + 1), text.line); }

}    // namespace

OpenClProgram::OpenClProgram(OpenClRuntime& runtime, KernelText text)
    : runtime_(runtime),
      text_(std::make_shared<const KernelText>(std::move(text))) {
    try {
        build();
        checkLayout();
    } catch (...) {
        close();
        throw;
    }
}

OpenClProgram::~OpenClProgram() { close(); }

void OpenClProgram::close() noexcept {
    for (const auto& [name, kernel] : kernels_) static_cast<void>(clReleaseKernel(kernel.handle));
    kernels_.clear();
    if (program_ != nullptr) static_cast<void>(clReleaseProgram(program_));
    program_ = nullptr;
}

void OpenClProgram::build() {
    const char* source = text_->text.data();
    const std::size_t length = text_->text.size();
    cl_int result = CL_SUCCESS;
    program_ = clCreateProgramWithSource(runtime_.context(), 1, &source, &length, &result);
    checkOpenCl(result, runtime_.name(), "making a program");
    cl_device_id device = runtime_.device();
    result = clBuildProgram(program_, 1, &device, "-cl-kernel-arg-info", nullptr, nullptr);
    if (result == CL_BUILD_PROGRAM_FAILURE) {
        const std::string log =
            toldText([&](auto... rest) { return clGetProgramBuildInfo(program_, device, CL_PROGRAM_BUILD_LOG, rest...); });
        const bool isAssertion = log.find("'ferryRecords'") != log.npos;
        throw UsageError(fmt::format("the kernels of the program at {} do not compile{}: {}", placeOf(*text_),
                                     isAssertion ? " (an xassert in a macro stands in a function that is no kernel)" : "", log));
    }
    checkOpenCl(result, runtime_.name(), "compiling kernels");
}

void OpenClProgram::checkLayout() {
    std::size_t count = 0;
    for (const KernelStruct& each : text_->structs) count += 1 + each.members.size();
    if (count == 0) return;
    cl_int result = CL_SUCCESS;
    const std::string device = runtime_.name();
    const OpenClHandle<cl_mem, &clReleaseMemObject> buffer(
        clCreateBuffer(runtime_.context(), CL_MEM_WRITE_ONLY, count * sizeof(cl_ulong), nullptr, &result));
    checkOpenCl(result, device, "reserving memory for the sizes of structs");
    const OpenClHandle<cl_kernel, &clReleaseKernel> kernel(clCreateKernel(program_, "ferryLayout", &result));
    checkOpenCl(result, device, "making the kernel for the sizes of structs");
    const cl_mem memory = buffer.get();
    checkOpenCl(clSetKernelArg(kernel.get(), 0, sizeof memory, &memory), device, "asking for the sizes of structs");
    const std::size_t one = 1;
    checkOpenCl(clEnqueueNDRangeKernel(runtime_.queue(), kernel.get(), 1, nullptr, &one, nullptr, 0, nullptr, nullptr), device,
                "asking for the sizes of structs");
    std::vector<cl_ulong> found(count);
    checkOpenCl(clEnqueueReadBuffer(runtime_.queue(), memory, CL_TRUE, 0, count * sizeof(cl_ulong), found.data(), 0, nullptr, nullptr),
                device, "asking for the sizes of structs");
    std::size_t i = 0;
    for (const KernelStruct& each : text_->structs) {
        if (const std::size_t bytes = found[i++]; bytes != each.bytes) {
            throw UsageError(
                fmt::format("the struct {} has {} bytes on the host, and {} on the device {}", each.name, each.bytes, bytes, device));
        }
        for (const KernelMember& member : each.members) {
            if (const std::size_t offset = found[i++]; offset != member.offset) {
                throw UsageError(fmt::format("{}::{} begins at byte {} on the host, and at byte {} on the device {}", each.name,
                                             member.name, member.offset, offset, device));
            }
        }
    }
}

OpenClProgram::Kernel& OpenClProgram::find(std::string_view name) {
    const auto known = kernels_.find(name);
    if (known != kernels_.end()) return known->second;
    Kernel& kernel = kernels_[std::string(name)];
    try {
        kernel = load(std::string(name));
    } catch (...) {
        kernels_.erase(kernels_.find(name));
        throw;
    }
    return kernel;
}

OpenClProgram::Kernel OpenClProgram::load(const std::string& name) const {
    cl_int result = CL_SUCCESS;
    OpenClHandle<cl_kernel, &clReleaseKernel> handle(clCreateKernel(program_, name.c_str(), &result));
    if (result == CL_INVALID_KERNEL_NAME) {
        throw UsageError(fmt::format("the program at {} has no kernel {}: its kernels are {}", placeOf(*text_), name,
                                     toldText([&](auto... rest) { return clGetProgramInfo(program_, CL_PROGRAM_KERNEL_NAMES, rest...); })));
    }
    checkOpenCl(result, runtime_.name(), "making a kernel");
    cl_uint count = 0;
    checkOpenCl(clGetKernelInfo(handle.get(), CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr), runtime_.name(), "asking for parameters");
    Kernel kernel;
    for (cl_uint i = 0; i + 2 < count; ++i) {
        Parameter parameter;
        parameter.type = toldText([&](auto... rest) { return clGetKernelArgInfo(handle.get(), i, CL_KERNEL_ARG_TYPE_NAME, rest...); });
        cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
        parameter.isKnown =
            clGetKernelArgInfo(handle.get(), i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, nullptr) == CL_SUCCESS;
        parameter.isAddress = space != CL_KERNEL_ARG_ADDRESS_PRIVATE;
        kernel.parameters.push_back(std::move(parameter));
    }
    kernel.handle = handle.get();
    handle.disown();
    return kernel;
}

void OpenClProgram::setArguments(std::string_view name, const Kernel& kernel, std::span<const KernelArgument> arguments) const {
    if (arguments.size() != kernel.parameters.size()) {
        throw UsageError(
            fmt::format("the kernel {} has {} parameters, and gets {} arguments", name, kernel.parameters.size(), arguments.size()));
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const KernelArgument& argument = arguments[i];
        const Parameter& parameter = kernel.parameters[i];
        if (parameter.isKnown && parameter.isAddress != argument.isAddress) {
            throw UsageError(fmt::format("parameter {} of the kernel {} has the type {}, and gets {}", i + 1, name, parameter.type,
                                         argument.isAddress ? "an address" : "a value"));
        }
        cl_int result = CL_SUCCESS;
        if (argument.isAddress) {
            const void* address = *static_cast<const void* const*>(argument.value);
            if (address != nullptr && !runtime_.holds(address)) {
                throw DeviceError(
                    DeviceProblem::NotCopied, runtime_.name(),
                    fmt::format("argument {} of the kernel {} is no address of this device: copy the object first", i + 1, name));
            }
            result = clSetKernelArgSVMPointer(kernel.handle, static_cast<cl_uint>(i), address);
        } else {
            result = clSetKernelArg(kernel.handle, static_cast<cl_uint>(i), argument.bytes, argument.value);
        }
        if (result == CL_INVALID_ARG_SIZE) {
            throw UsageError(fmt::format("parameter {} of the kernel {} has the type {}, which has not the {} bytes of the argument", i + 1,
                                         name, parameter.type, argument.bytes));
        }
        checkOpenCl(result, runtime_.name(), "giving a kernel its arguments");
    }
}

void OpenClProgram::launch(QueueNumber queue, std::string_view name, const KernelRange& range, std::span<const KernelArgument> arguments) {
    const Kernel& kernel = find(name);
    setArguments(name, kernel, arguments);
    if (range.items == 0) return;
    const auto count = static_cast<cl_uint>(arguments.size());
    const std::string device = runtime_.name();
    const cl_mem records = runtime_.records();
    const cl_uint number = runtime_.nextLaunch();
    checkOpenCl(clSetKernelArg(kernel.handle, count, sizeof records, &records), device, "giving a kernel its arguments");
    checkOpenCl(clSetKernelArg(kernel.handle, count + 1, sizeof number, &number), device, "giving a kernel its arguments");
    runtime_.prepareLaunch();
    OpenClLaunch launch{text_, std::string(name), {range.file, range.line}};
    const cl_int result = clEnqueueNDRangeKernel(runtime_.queue(queue), kernel.handle, 1, nullptr, &range.items,
                                                 range.groupItems == 0 ? nullptr : &range.groupItems, 0, nullptr, &launch.event);
    if (result == CL_INVALID_WORK_GROUP_SIZE || result == CL_INVALID_WORK_ITEM_SIZE) {
        throw UsageError(
            fmt::format("the kernel {} cannot run {} items in groups of {} on the device {}", name, range.items, range.groupItems, device));
    }
    checkOpenCl(result, device, "launching a kernel");
    runtime_.note(std::move(launch));
}

}    // namespace ferry::detail
