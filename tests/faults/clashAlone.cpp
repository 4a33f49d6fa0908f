// ranks: 1 (alone), 2. Two classes have one wire name, in a program without an Application: with a connector of its own, or in a simulation.
// Should print one line that names both with their places and the cure, and exit with status 2.
// Kind: an exception of the start that nobody catches ("terminate called").
#include <cstdio>
#include <cstring>
#include <ferry/connector.hpp>
#include <ferry/mpi.hpp>
#include <ferry/simulate.hpp>
namespace one {
struct Room : ferry::Message {
    FERRY_CLASS(Room)
    FERRY_FIELDS(seats)
    int seats = 0;
};
}    // namespace one
namespace two {
struct Hall : ferry::Message {
    FERRY_CLASS_NAMED(Hall, "one::Room")
    FERRY_FIELDS(seats)
    int seats = 0;
};
}    // namespace two
int main(int argc, char** argv) {
    const auto program = [](ferry::Connector& c) {
        if (c.rank() == 0 && c.size() > 1) c.send(1, one::Room()), c.send(1, two::Hall());
        std::printf("the program has begun\n");
    };
    if (argc > 1 && std::strcmp(argv[1], "simulated") == 0) {
        ferry::simulate(2, 1, program);
        return 0;
    }
    MPI_Init(&argc, &argv);
    {
        ferry::Connector connector(ferry::mpiTransport(MPI_COMM_WORLD));
        program(connector);
    }
    MPI_Finalize();
}
