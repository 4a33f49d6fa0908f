#pragma once

#include <cstddef>
#include <vector>

#include <mpi.h>

/// Some rows of a square plate that is hot on one side, with the adjacent rows of the two neighbour ranks.
/// Plain MPI: the class knows nothing of Ferry.
class Plate {
public:
    static constexpr int Width = 256;

    explicit Plate(MPI_Comm communicator);

    /// Starts anew, and sweeps until no cell changes by more than the tolerance. Returns the number of sweeps. Collective.
    /// Errors: std::domain_error on a rank with a cell that conducts no heat.
    int solve(double tolerance);
    /// The mean temperature, on rank 0. Collective.
    double mean() const;

    /// Sets the conductivity of one cell of this rank; it is 1 at first.
    void setConductivity(int row, int column, double value) { conductivity_[placeOf(row, column)] = value; }
    int rowCount() const noexcept { return rowCount_; }

private:
    static std::size_t placeOf(int row, int column) { return static_cast<std::size_t>(row) * Width + static_cast<std::size_t>(column); }
    void exchangeHalos();
    double sweep();

    MPI_Comm communicator_;
    int rank_ = 0;
    int size_ = 0;
    int rowCount_ = 0;    // without the two rows of the neighbours
    std::vector<double> heat_;
    std::vector<double> conductivity_;
};
