#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/guard/region/WokenCalls.hpp>

namespace ferry::pmpi {

class Region;

/// The settings of a region around a whole program that was not written for regions.
struct RegionSettings {
    /// True: calls that regions do not support are made as outside, and noted. False: they throw.
    bool makesUnsupportedCalls = false;
    WokenCalls wokenCalls = WokenCalls::Throw;
    /// The time that a failed rank waits for all other ranks. A rank that has heard of the failure waits twice as long. 0: for ever.
    std::chrono::milliseconds patience{0};
    /// Prints a roll call of the ranks on this host, as far as they answer. Null: none can be made.
    void (*callRoll)() = nullptr;
    /// Prints a roll call of a job that goes on, each time. Null: none can be made.
    void (*showRoll)() = nullptr;
    /// The failure of this rank after a signal (endSignal.hpp). Empty: another rank fails for it. Null: no signal ends the region.
    std::optional<Terminated> (*endedBy)(int signal) = nullptr;
    /// Called when all ranks have met after a failure, before the call throws. Null: nothing is called.
    void (*failed)(const Region& region) = nullptr;
    /// Called when this rank has made too many calls after the failure (CallsAfterFailure). May end the process. Null: the rank goes on.
    void (*goesOn)() = nullptr;
    /// Called when the region cannot end, for example when ranks are missing after the patience; does not return. why: begins with a small
    /// letter.
    void (*giveUp)(const Region& region, const std::string& why) = nullptr;
};

}    // namespace ferry::pmpi
