#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ferry/ferry.hpp>

namespace sweep {

/// A system of linear equations has no solution, or more than one.
struct SingularMatrix : ferry::Exception {
    FERRY_EXCEPTION(sweep::SingularMatrix)
    FERRY_FIELDS(equation, pivot)
    explicit SingularMatrix(const std::string& theEquation = {}, int thePivot = 0);

    std::string equation;    ///< name of the physics
    int pivot = 0;           ///< the row of the first pivot that is zero, counted from 0
};

/// A system of dense linear equations, whose entries each rank can compute.
struct LinearSystem {
    std::string name;
    int size = 0;
    std::function<double(int row, int column)> entry;
    std::function<double(int row)> rightSide;
};

/// Solves the system by ScaLAPACK on all ranks of a team. Each rank holds its blocks of the matrix, and gets the whole solution.
/// All ranks of the team call it together.
/// Errors: SingularMatrix on each rank.
std::vector<double> solve(ferry::Connector& team, const LinearSystem& system);

}    // namespace sweep
