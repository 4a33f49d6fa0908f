#pragma once

#include <cstddef>
#include <vector>

#include <mpi.h>

#include <ferry/examples/particles/RingExchange.hpp>

/// Two streams of electrons that pass through each other in a periodic box, particle in cell: how many there are in each cell makes the
/// field that drives them. Each rank has the particles of some cells; those that leave these go to its neighbours. Plain MPI: knows nothing
/// of Ferry.
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

    /// Goes on for the duration. Collective.
    /// Errors: std::range_error on the rank where a particle crosses more than a cell in one step, which makes the result worthless;
    ///         std::logic_error on all ranks when particles have been lost; std::invalid_argument for a step that is not above 0.
    void run(double step);
    /// The mean of all particles, on rank 0. Collective.
    double kineticEnergy() const;

    /// Those of this rank.
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
