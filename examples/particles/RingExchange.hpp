#pragma once

#include <vector>

#include <mpi.h>

/// A small library as many codes have one: brings numbers to both neighbours in a ring of ranks, which do not know how many come. It has a
/// communicator of its own, so that its messages are not mistaken for those of the program. Plain MPI: knows nothing of Ferry.
class RingExchange {
public:
    /// Collective.
    explicit RingExchange(MPI_Comm communicator);
    RingExchange(const RingExchange&) = delete;
    RingExchange& operator=(const RingExchange&) = delete;
    ~RingExchange();

    /// What the neighbours have for this rank. Collective.
    std::vector<double> exchange(const std::vector<double>& toLeft, const std::vector<double>& toRight) const;

private:
    void receive(int from, int tag, std::vector<double>& received) const;

    MPI_Comm communicator_ = MPI_COMM_NULL;
    int left_ = 0;
    int right_ = 0;
};
