#pragma once

#include <cstddef>
#include <map>
#include <string>

#include <ferry/benchmarks/serialization/Samples.hpp>
#include <ferry/benchmarks/support/Suite.hpp>

namespace bench {

/// Bytes of the stream, by case and contender.
using StreamBytes = std::map<std::string, std::map<std::string, std::size_t>>;

/// Declares every case with its goals.
void declareCases(Suite& suite, const Samples& samples);

// Each of these functions adds one contender to the cases that it supports, and checks that it reads the same data that it has written. The
// samples must outlive the suite.
void addLimits(Suite& suite, const Samples& samples);
void addFerry(Suite& suite, const Samples& samples, StreamBytes& bytes);
void addVersionsAndViews(Suite& suite, const Samples& samples);
#ifdef FERRY_BENCH_CEREAL
void addCereal(Suite& suite, const Samples& samples, StreamBytes& bytes);
#endif
#ifdef FERRY_BENCH_BOOST
void addBoost(Suite& suite, const Samples& samples, StreamBytes& bytes);
void addBridge(Suite& suite, const Samples& samples);
#endif

// Names of the cases.
std::string writeInts(std::size_t count);
std::string readIntsReused(std::size_t count);
std::string readIntsFresh(std::size_t count);
inline const std::string writeVessels = "write 50 nested records";
inline const std::string readVessels = "read 50 nested records";
inline const std::string writeShapes = "write 10000 polymorphic objects";
inline const std::string readShapes = "read 10000 polymorphic objects";
inline const std::string writeVersioned = "write 50 nested records with versions";
inline const std::string readVersioned = "read 50 nested records with versions";
inline const std::string writePart = "write a view of 1 of 50 members";
inline const std::string writeEngineBridged = "bridge: write a record of two fields";
inline const std::string readEngineBridged = "bridge: read a record of two fields";
inline const std::string writeVesselsBridged = "bridge: write 50 nested records";
inline const std::string readVesselsBridged = "bridge: read 50 nested records";
inline const std::string writeDoublesBridged = "bridge: write 1000000 doubles";
inline const std::string readDoublesBridged = "bridge: read 1000000 doubles";

}    // namespace bench
