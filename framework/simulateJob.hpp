#pragma once

#include <functional>

#include <ferry/connector/simulate.hpp>
#include <ferry/framework/ending/Shutdown.hpp>
#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/slave/SlaveLoop.hpp>

namespace ferry {

/// Runs a job on a simulated network, like Application::run on a real one: the program on rank 0, the slave on all other ranks.
///
/// rankCount: the master and its slaves. Returns the exit status of each rank; empty for a rank that was killed. A rank that ends the job
/// by force, after the grace time, gives SimulationResult::abortStatus. exit() and signals belong to the process and are not simulated.
/// Errors: like simulate().
inline SimulationOf<int> simulateJob(int rankCount, const SimulationOptions& options, const Slave& slave,
                                     const std::function<void(Master&)>& program) {
    return simulate(rankCount, options, [&](Connector& connector) {
        detail::Shutdown shutdown(connector);
        return shutdown.conduct(detail::Shutdown::End::WithMaster, [&]() -> int {
            if (!connector.isMaster()) detail::SlaveLoop(slave, connector).run();
            Master master(connector);
            program(master);
            return 0;
        });
    });
}

}    // namespace ferry
