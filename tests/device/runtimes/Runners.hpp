#pragma once

#include <cstddef>
#include <map>
#include <string>

#include <doctest/doctest.h>

#include <ferry/device.hpp>

// Cases that are written once and run on each runtime. The body of a kernel is C++ and OpenCL C at once: `it` is the root of the copy, and
// `i` the work item.

#define GLOBAL
#define DATA(vector_) ((vector_).data())
#define SIZE(vector_) ((vector_).size())

#define FERRY_TEST_KERNEL(name_, root_, ...)                                                             \
    struct name_ {                                                                                       \
        using Root = root_;                                                                              \
        static constexpr const char* name = #name_;                                                      \
        static constexpr const char* text = "kernel void " #name_ "(global " #root_                      \
                                            "* it) {\n"                                                  \
                                            "const size_t i = get_global_id(0);\n" #__VA_ARGS__ "\n}\n"; \
        static constexpr int line = __LINE__ - 2;                                                        \
        static void run(Root* it, std::size_t i) {                                                       \
            static_cast<void>(i);                                                                        \
            __VA_ARGS__                                                                                  \
        }                                                                                                \
    };

namespace ferry::test {

/// Kernels are functions.
class OnHost {
public:
    static constexpr const char* name = "host";

    Device device = Device::host({.threads = 2});

    /// Returns the line of the launch.
    template <class Kernel, class There>
    int run(const There& there, std::size_t count) {
        const int line = __LINE__ + 1;
        device.run(count, [root = there.get()](std::size_t i) { Kernel::run(root, i); });
        return line;
    }
    template <class Kernel>
    void prepare() {}
};

#ifdef FERRY_TEST_OPENCL
/// Kernels are texts.
class OnOpenCl {
public:
    static constexpr const char* name = "OpenCL";

    Device device = Device::openCl();

    template <class Kernel, class There>
    int run(const There& there, std::size_t count) {
        const int line = __LINE__ + 1;
        programOf<Kernel>().launch(Kernel::name, {count}, there);
        return line;
    }
    template <class Kernel>
    void prepare() {
        static_cast<void>(programOf<Kernel>());
    }

private:
    template <class Kernel>
    DeviceProgram& programOf() {
        const auto found = programs_.find(Kernel::name);
        if (found != programs_.end()) return found->second;
        const std::string text = std::string(
                                     "#define GLOBAL global\n"
                                     "#define DATA(vector_) ((vector_).data)\n"
                                     "#define SIZE(vector_) ((ulong)((vector_).end - (vector_).data))\n") +
                                 Kernel::text;
        return programs_.emplace(Kernel::name, device.program<typename Kernel::Root>(text, __FILE__, Kernel::line)).first->second;
    }

    std::map<std::string, DeviceProgram> programs_;
};
#define FERRY_TEST_RUNNERS OnHost, OnOpenCl
#else
#define FERRY_TEST_RUNNERS OnHost
#endif

}    // namespace ferry::test
