#pragma once

#include <cstddef>
#include <vector>

#include <mpi.h>

#include <ferry/examples/particles/RingExchange.hpp>

/// Two streams of electrons pass through each other in a periodic box. The method is particle in cell:
/// the number of electrons in each cell determines the field, and the field drives the electrons.
/// Each rank has the particles of some cells. A particle that leaves these cells goes to a neighbour rank.
/// Plain MPI: the class knows nothing of Ferry.
///
/// Lengths are in cells, times in 1 / plasma frequency.
class Plasma {
public:
    static constexpr int CellCount = 64;
    static constexpr int ParticlesPerCell = 64;
    static constexpr double Duration = 32;

    struct Particle {
        double place = 0;
        double velocity = 0;
    };

    /// Collective. Errors: std::invalid_argument for more ranks than cells.
    explicit Plasma(MPI_Comm communicator);

    /// Advances the simulation to the end of its duration. Collective.
    /// Errors: std::range_error on a rank where a particle crosses more than a cell in one step, which makes the result worthless;
    ///         std::logic_error on all ranks when particles have been lost; std::invalid_argument for a step that is not above 0.
    void run(double step);
    /// The mean kinetic energy of all particles, on rank 0. Collective.
    double kineticEnergy() const;

    /// The particles of this rank.
    const std::vector<Particle>& particles() const noexcept { return particles_; }
    void setParticles(const std::vector<Particle>& particles) { particles_ = particles; }

private:
    void advance(double step);
    std::vector<double> accelerations() const;

    MPI_Comm communicator_;
    RingExchange exchange_;
    int firstCell_ = 0;
    int endCell_ = 0;
    std::vector<Particle> particles_;
};
