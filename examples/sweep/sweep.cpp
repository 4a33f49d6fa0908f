// A sweep over the designs of a heated plate. Each design is a task of a team of slaves. The team solves two equations by ScaLAPACK, one
// after the other: the temperatures in the plate, and then the bending under their load. Designs that have no solution end their own team,
// and the sweep goes on.
//     mpirun -np 6 sweep [ranks of a team]
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <vector>

#include <ferry/examples/sweep/DenseSolver.hpp>
#include <ferry/ferry.hpp>

namespace {

constexpr int width = 12;    // points of the plate in each direction; its edge lies around them

/// The solutions of the two equations for a design.
struct Outcome {
    double hottest = 0;
    double bending = 0;
};

/// A design of the plate: one point of the sweep.
struct Design {
    double conductivity = 1;
    double stiffness = 1;
    using Reply = Outcome;
};

/// The equation of a field on the plate that is 0 at the edge: strength * (4 u - sum of the neighbours) = load.
sweep::LinearSystem plateEquation(const char* name, double strength, std::vector<double> load) {
    const auto entry = [strength](int row, int column) {
        if (row == column) return 4 * strength;
        const int distance = std::abs(row / width - column / width) + std::abs(row % width - column % width);
        return distance == 1 ? -strength : 0;
    };
    const auto rightSide = [load = std::move(load)](int row) { return load[static_cast<std::size_t>(row)]; };
    return {name, width * width, entry, rightSide};
}

Outcome solveDesign(const Design& design, ferry::Team& team) {
    if (design.stiffness < 0) throw std::domain_error("a plate with negative stiffness");
    const std::vector<double> heating(static_cast<std::size_t>(width * width), 1);
    const std::vector<double> temperatures = solve(team.connector(), plateEquation("heat", design.conductivity, heating));
    const std::vector<double> bending = solve(team.connector(), plateEquation("bending", design.stiffness, temperatures));
    return {*std::max_element(temperatures.begin(), temperatures.end()), *std::max_element(bending.begin(), bending.end())};
}

void show(const Design& design, ferry::Future<Outcome>& future) {
    std::printf("conductivity %.1f, stiffness %.1f: ", design.conductivity, design.stiffness);
    try {
        const Outcome outcome = future.get();
        std::printf("hottest %.4f, bending %.4f\n", outcome.hottest, outcome.bending);
    } catch (const ferry::ExceptionList& failures) {
        const auto* singular = failures[0].as<sweep::SingularMatrix>();
        if (singular == nullptr) {
            std::printf("%s\n", failures[0].what());
        } else {
            std::printf("no %s, since row %d has no pivot\n", singular->equation.c_str(), singular->pivot);
        }
    }
}

void program(ferry::Master& master, int teamSize) {
    std::vector<Design> designs;
    for (const double conductivity : {0.0, 0.5, 1.0, 2.0}) {
        for (const double stiffness : {-1.0, 0.0, 1.0, 10.0}) designs.push_back({conductivity, stiffness});
    }
    std::vector<ferry::Future<Outcome>> outcomes;
    for (const Design& design : designs) outcomes.push_back(master.submit(design, ferry::ranks(teamSize)));
    for (std::size_t i = 0; i < designs.size(); ++i) show(designs[i], outcomes[i]);
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    const int teamSize = argc > 1 ? std::atoi(argv[1]) : 2;
    app.slave().on<Design>(solveDesign);
    return app.run([teamSize](ferry::Master& master) { program(master, teamSize); });
}
