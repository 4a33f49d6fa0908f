#include <ferry/examples/jacobi/Plate.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

Plate::Plate(MPI_Comm communicator) : communicator_(communicator) {
    MPI_Comm_rank(communicator_, &rank_);
    MPI_Comm_size(communicator_, &size_);
    rowCount_ = Width / size_ + (rank_ < Width % size_ ? 1 : 0);
    conductivity_.assign(placeOf(rowCount_ + 2, 0), 1.0);
}

int Plate::solve(double tolerance) {
    heat_.assign(conductivity_.size(), 0.0);
    for (int row = 0; row < rowCount_ + 2; ++row) heat_[placeOf(row, 0)] = 100.0;
    for (int sweeps = 1;; ++sweeps) {
        exchangeHalos();
        double change = sweep();
        MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, communicator_);
        if (change <= tolerance) return sweeps;
    }
}

void Plate::exchangeHalos() {
    const int above = rank_ > 0 ? rank_ - 1 : MPI_PROC_NULL;
    const int below = rank_ + 1 < size_ ? rank_ + 1 : MPI_PROC_NULL;
    std::array<MPI_Request, 4> requests;
    MPI_Irecv(&heat_[placeOf(0, 0)], Width, MPI_DOUBLE, above, 1, communicator_, &requests[0]);
    MPI_Irecv(&heat_[placeOf(rowCount_ + 1, 0)], Width, MPI_DOUBLE, below, 2, communicator_, &requests[1]);
    MPI_Isend(&heat_[placeOf(1, 0)], Width, MPI_DOUBLE, above, 2, communicator_, &requests[2]);
    MPI_Isend(&heat_[placeOf(rowCount_, 0)], Width, MPI_DOUBLE, below, 1, communicator_, &requests[3]);
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
}

double Plate::sweep() {
    std::vector<double> next = heat_;
    double change = 0;
    for (int row = 1; row <= rowCount_; ++row) {
        for (int column = 1; column + 1 < Width; ++column) {
            const std::size_t here = placeOf(row, column);
            if (!(conductivity_[here] > 0))
                throw std::domain_error("cell " + std::to_string(column) + " of row " + std::to_string(row) + " conducts no heat");
            const double mean = (heat_[here - Width] + heat_[here + Width] + heat_[here - 1] + heat_[here + 1]) / 4;
            next[here] += std::min(conductivity_[here], 1.0) * (mean - heat_[here]);
            change = std::max(change, std::abs(next[here] - heat_[here]));
        }
    }
    heat_.swap(next);
    return change;
}

double Plate::mean() const {
    const double own = std::accumulate(heat_.begin() + Width, heat_.end() - Width, 0.0);
    double all = 0;
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, communicator_);
    return all / (static_cast<double>(Width) * Width);
}
