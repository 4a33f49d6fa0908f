#pragma once

#include <vector>

#include <mpi.h>

/// A small library that many codes have: sends numbers to both neighbours in a ring of ranks. The receivers do not know the count in
/// advance.
/// The library has its own communicator, so that its messages do not mix with those of the program.
/// Plain MPI: the class knows nothing of Ferry.
class RingExchange {
public:
    /// Collective.
    explicit RingExchange(MPI_Comm communicator);
    RingExchange(const RingExchange&) = delete;
    RingExchange& operator=(const RingExchange&) = delete;
    ~RingExchange();

    /// Returns the numbers that the two neighbours send to this rank. Collective.
    std::vector<double> exchange(const std::vector<double>& toLeft, const std::vector<double>& toRight) const;

private:
    void receive(int from, int tag, std::vector<double>& received) const;

    MPI_Comm communicator_ = MPI_COMM_NULL;
    int left_ = 0;
    int right_ = 0;
};
