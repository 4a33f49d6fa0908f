#include <ferry/examples/sweep/DenseSolver.hpp>

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include <ferry/mpi.hpp>

// ScaLAPACK brings no header.
extern "C" {
int Csys2blacs_handle(MPI_Comm communicator);
void Cfree_blacs_system_handle(int handle);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridinfo(int context, int* rows, int* columns, int* row, int* column);
void Cblacs_gridexit(int context);
int numroc_(const int* count, const int* block, const int* place, const int* first, const int* places);
void descinit_(int* descriptor, const int* rows, const int* columns, const int* rowBlock, const int* columnBlock, const int* firstRow,
               const int* firstColumn, const int* context, const int* leading, int* info);
void pdgesv_(const int* size, const int* rightSides, double* matrix, const int* row, const int* column, const int* descriptor, int* pivots,
             double* solution, const int* solutionRow, const int* solutionColumn, const int* solutionDescriptor, int* info);
}

namespace sweep {

namespace {

constexpr int block = 8;    // rows and columns of a block that one rank holds
constexpr int first = 0;    // the place of the first block
constexpr int one = 1;      // the first row or column, as Fortran counts them

/// One direction of the grid of ranks: the rows or the columns of the matrix that one of its places holds.
struct Side {
    int places = 1;
    int place = 0;

    int countOf(int all) const { return numroc_(&all, &block, &place, &first, &places); }
    /// The row or column of the whole matrix that lies here at this index.
    int global(int local) const { return (local / block * places + place) * block + local % block; }
};

/// The grid of ranks of a team that is as near to a square as can be: rows times columns are the ranks.
std::pair<Side, Side> gridOf(const ferry::Connector& team) {
    int rows = 1;
    for (int divisor = 1; divisor * divisor <= team.size(); ++divisor) {
        if (team.size() % divisor == 0) rows = divisor;
    }
    const int columns = team.size() / rows;
    return {Side{rows, team.rank() / columns}, Side{columns, team.rank() % columns}};
}

/// The blocks of the matrix and of the right side that lie on this rank.
struct Blocks {
    Blocks(const LinearSystem& system, const Side& theRows, const Side& theColumns)
        : rows(theRows),
          columns(theColumns),
          rowCount(rows.countOf(system.size)),
          columnCount(columns.countOf(system.size)),
          leading(std::max(rowCount, 1)),
          matrix(static_cast<std::size_t>(leading) * static_cast<std::size_t>(std::max(columnCount, 1))),
          vector(static_cast<std::size_t>(leading)),
          pivots(static_cast<std::size_t>(rowCount + block)) {
        for (int column = 0; column < columnCount; ++column) {
            for (int row = 0; row < rowCount; ++row) {
                matrix[static_cast<std::size_t>(column) * static_cast<std::size_t>(leading) + static_cast<std::size_t>(row)] =
                    system.entry(rows.global(row), columns.global(column));
            }
        }
        for (int row = 0; row < rowCount; ++row) vector[static_cast<std::size_t>(row)] = system.rightSide(rows.global(row));
    }

    Side rows;
    Side columns;
    int rowCount;
    int columnCount;
    int leading;    ///< entries from one column to the next
    std::vector<double> matrix;
    std::vector<double> vector;    ///< the right side, then the solution; counts on the first column of ranks
    std::vector<int> pivots;
};

/// Calls ScaLAPACK, and returns what it says. Nothing throws here: each rank must give back the grid and the communicator.
int callScalapack(MPI_Comm communicator, int size, Blocks& blocks) noexcept {
    const int handle = Csys2blacs_handle(communicator);
    int context = handle;
    Cblacs_gridinit(&context, "Row", blocks.rows.places, blocks.columns.places);
    int matrixLayout[9], vectorLayout[9], info = 0;
    descinit_(matrixLayout, &size, &size, &block, &block, &first, &first, &context, &blocks.leading, &info);
    descinit_(vectorLayout, &size, &one, &block, &one, &first, &first, &context, &blocks.leading, &info);
    pdgesv_(&size, &one, blocks.matrix.data(), &one, &one, matrixLayout, blocks.pivots.data(), blocks.vector.data(), &one, &one,
            vectorLayout, &info);
    Cblacs_gridexit(context);
    Cfree_blacs_system_handle(handle);
    return info;
}

}    // namespace

SingularMatrix::SingularMatrix(const std::string& theEquation, int thePivot)
    : ferry::Exception(fmt::format("the equation of {} is singular at row {}", theEquation, thePivot)),
      equation(theEquation),
      pivot(thePivot) {}

std::vector<double> solve(ferry::Connector& team, const LinearSystem& system) {
    const auto [rows, columns] = gridOf(team);
    Blocks blocks(system, rows, columns);
    // A rank that has failed until here wakes the others in this call. From here to the end of MPI's calls no rank fails alone.
    MPI_Comm communicator = ferry::makeCommunicator(team);
    const int info = callScalapack(communicator, system.size, blocks);
    MPI_Comm_free(&communicator);
    if (info > 0) throw SingularMatrix(system.name, info - 1);
    if (info < 0) throw ferry::UsageError(fmt::format("pdgesv: argument {} is wrong", -info));

    std::vector<double> solution(static_cast<std::size_t>(system.size));
    if (columns.place == 0) {
        for (int row = 0; row < blocks.rowCount; ++row) {
            solution[static_cast<std::size_t>(rows.global(row))] = blocks.vector[static_cast<std::size_t>(row)];
        }
    }
    team.allReduce(solution, ferry::Sum{}, {.into = solution});
    return solution;
}

}    // namespace sweep
