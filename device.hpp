#pragma once

/// Copies of objects on accelerators, with all objects that their pointers lead to. Needs no MPI.
///
///     #include <ferry/device.hpp>
///
///     struct Atoms {
///         int count = 0;
///         double* positions = nullptr;
///         FERRY_FIELDS(ferry::arrayOf(positions, count))
///     };
///
///     void move(Atoms& atoms) {
///         ferry::Device device = ferry::Device::host();
///         auto there = device.copy(atoms);    // one transfer
///         device.run(atoms.count, [a = there.get()](std::size_t i) { a->positions[i] += 1; });
///         there.fetch();
///     }

// fmt 9 takes nvcc for a compiler without constexpr.
#if defined(__CUDACC__) && !defined(FMT_USE_CONSTEXPR)
#define FMT_USE_CONSTEXPR 1
#endif

#include <ferry/device/Device.hpp>
#include <ferry/device/DeviceCopy.hpp>
#include <ferry/device/DeviceFields.hpp>
#include <ferry/device/DeviceGraph.hpp>
#include <ferry/device/DeviceProgram.hpp>
#include <ferry/device/DeviceQueue.hpp>
#include <ferry/device/MemberChain.hpp>
#include <ferry/device/failure/DeviceError.hpp>
#include <ferry/device/failure/kernelAssert.hpp>
#include <ferry/device/runtime/Runtime.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/codec/View.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
