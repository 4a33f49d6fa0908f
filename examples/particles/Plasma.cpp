#include <ferry/examples/particles/Plasma.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <string>

namespace {

constexpr int totalCount = Plasma::CellCount * Plasma::ParticlesPerCell;

std::size_t cellOf(const Plasma::Particle& particle) { return static_cast<std::size_t>(particle.place); }

void pack(Plasma::Particle particle, std::vector<double>& numbers) {
    if (particle.place < 0) particle.place = std::min(particle.place + Plasma::CellCount, std::nextafter(Plasma::CellCount, 0.0));
    if (particle.place >= Plasma::CellCount) particle.place -= Plasma::CellCount;
    numbers.insert(numbers.end(), {particle.place, particle.velocity});
}

}    // namespace

Plasma::Plasma(MPI_Comm communicator) : communicator_(communicator), exchange_(communicator) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    if (size > CellCount) throw std::invalid_argument(std::to_string(size) + " ranks for " + std::to_string(CellCount) + " cells");
    firstCell_ = CellCount * rank / size;
    endCell_ = CellCount * (rank + 1) / size;
    for (int i = firstCell_ * ParticlesPerCell; i < endCell_ * ParticlesPerCell; ++i) {
        const double phase = 2 * std::numbers::pi * i / totalCount;    // phase of a slight wave, which grows
        particles_.push_back({(i + 0.5) / ParticlesPerCell, (i % 2 == 0 ? 1.6 : -4.8) + 0.05 * std::sin(phase)});
    }
}

void Plasma::run(double step) {
    if (!(step > 0)) throw std::invalid_argument("a step of " + std::to_string(step));
    for (double time = 0; time < Duration; time += step) advance(step);
}

void Plasma::advance(double step) {
    const std::vector<double> acceleration = accelerations();
    std::vector<Particle> staying;
    std::vector<double> toLeft;
    std::vector<double> toRight;
    for (Particle particle : particles_) {
        particle.velocity += step * acceleration[cellOf(particle)];
        const double way = step * particle.velocity;
        if (std::abs(way) > 1) throw std::range_error("a particle crosses " + std::to_string(std::abs(way)) + " cells in one step");
        particle.place += way;
        if (particle.place < firstCell_)
            pack(particle, toLeft);
        else if (particle.place >= endCell_)
            pack(particle, toRight);
        else
            staying.push_back(particle);
    }
    const std::vector<double> arrived = exchange_.exchange(toLeft, toRight);
    for (std::size_t i = 0; i + 1 < arrived.size(); i += 2) staying.push_back({arrived[i], arrived[i + 1]});
    particles_.swap(staying);
}

std::vector<double> Plasma::accelerations() const {
    std::vector<int> counts(CellCount);
    for (const Particle& particle : particles_) ++counts[cellOf(particle)];
    MPI_Allreduce(MPI_IN_PLACE, counts.data(), CellCount, MPI_INT, MPI_SUM, communicator_);
    const int count = std::accumulate(counts.begin(), counts.end(), 0);
    if (count != totalCount) throw std::logic_error(std::to_string(count) + " particles of " + std::to_string(totalCount) + " are left");
    std::vector<double> acceleration;
    double atEdge = 0;
    for (const int inCell : counts) {
        const double excess = static_cast<double>(inCell) / ParticlesPerCell - 1;
        acceleration.push_back(atEdge + excess / 2);
        atEdge += excess;
    }
    const double mean = std::accumulate(acceleration.begin(), acceleration.end(), 0.0) / CellCount;
    for (double& value : acceleration) value -= mean;
    return acceleration;
}

double Plasma::kineticEnergy() const {
    double own = 0;
    for (const Particle& particle : particles_) own += particle.velocity * particle.velocity / 2;
    double all = 0;
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, communicator_);
    return all / totalCount;
}
