// A job whose first slave loses its CUDA device in its third task: it ends, and the other slaves do its tasks.
//     ferryrun -np 4 lostDevice
// prints "100 tasks right" and has the status 0. Without a device it prints why, and has the status 77.
#include <ferry/ferry.hpp>

#include <cstdio>
#include <vector>

#include <ferry/device.hpp>

int workOnDevice(int value, bool isFaulty);

struct Work {
    int value = 0;
    using Reply = int;
};

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    app.slave().on<Work>([](const Work& work, ferry::Task& task) {
        static int tasks = 0;    // one rank is one process
        const bool isFaulty = task.connector().rank() == 1 && ++tasks == 3;
        return workOnDevice(work.value, isFaulty);
    });
    return app.run([](ferry::Master& master) {
        std::vector<Work> tasks;
        for (int i = 0; i < 100; ++i) tasks.push_back({i});
        int right = 0;
        try {
            int value = 0;
            for (const int sum : master.map(tasks)) right += sum == 32 * value++ ? 1 : 0;
        } catch (const ferry::DeviceError& e) {
            std::printf("%s\n", e.what());
            return e.problem() == ferry::DeviceProblem::NoDevice ? 77 : 1;
        }
        std::printf("%d tasks right\n", right);
        return right == 100 ? 0 : 1;
    });
}
