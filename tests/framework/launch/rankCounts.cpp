// Prints how many ranks the program has: rankCounts everywhere | job | initialised
#include <cstdio>
#include <string_view>
#include <vector>

#include <mpi.h>

#include <ferry/ferry.hpp>
#include <ferry/mpi.hpp>

namespace rankcounts {

class Number : public ferry::Message {
public:
    FERRY_CLASS(rankcounts::Number)
    FERRY_FIELDS(value)
    Number() = default;
    explicit Number(int theValue) : value(theValue) {}
    int value = 0;
};

class Square : public ferry::Message {
public:
    FERRY_CLASS(rankcounts::Square)
    FERRY_FIELDS(number)
    using Reply = Number;
    Square() = default;
    explicit Square(int theNumber) : number(theNumber) {}
    int number = 0;
};

constexpr int taskCount = 20;

}    // namespace rankcounts

using namespace rankcounts;

int main(int argc, char** argv) {
    const std::string_view kind = argc > 1 ? argv[1] : "";
    if (kind == "initialised") MPI_Init(&argc, &argv);
    int status = 0;
    {
        ferry::Application app(argc, argv, ferry::ThreadRanks{3});
        ferry::Connector& before = app.connector();
        if (kind == "job") {
            app.slave().on<Square>([](const Square& task) { return Number(task.number * task.number); });
            status = app.run([&](ferry::Master& master) {
                int sum = 0;
                std::vector<ferry::Future<Number>> squares;
                for (int i = 1; i <= taskCount; ++i) squares.push_back(master.submit(Square(i)));
                for (ferry::Future<Number>& square : squares) sum += square.get().value;
                std::printf("job: %d ranks, then %d, sum %d\n", before.size(), master.connector().size(), sum);
            });
        } else {
            status = app.runOnAll([](ferry::Connector& c) {
                const int sum = c.allReduce(c.rank() + 1, ferry::Sum{});
                int processCount = 0;
                try {
                    MPI_Comm_size(ferry::communicatorOf(c), &processCount);
                } catch (const ferry::UsageError&) {    // the ranks are threads
                }
                if (c.isMaster()) std::printf("everywhere: %d ranks, %d processes, sum %d\n", c.size(), processCount, sum);
            });
        }
    }
    if (kind == "initialised") MPI_Finalize();
    return status;
}
