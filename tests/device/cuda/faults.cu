// One launch of a hundred uses an address that is none: the error names this launch, and the device is lost for the process.
// Each round runs in a process of its own. faults ROUNDS (5)
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include <ferry/device.hpp>

namespace {

constexpr int Launches = 100;
constexpr int AtOnce = 8;

/// The pointer of a kernel that was never copied.
struct Holder {
    int* numbers = nullptr;
    int count = 0;
    FERRY_FIELDS(ferry::arrayOf(numbers, count))
};

__global__ void put(Holder* holder, int* elsewhere, int value) {
    if (elsewhere != nullptr) *elsewhere = value;
    holder->numbers[threadIdx.x] += value;
}

bool isAbout(const ferry::DeviceError& e, ferry::DeviceProblem problem, const std::string& place) {
    const bool isRight = e.problem() == problem && e.costsProcess() && std::string(e.what()).find(place) != std::string::npos;
    if (!isRight) std::printf("wrong: problem %d, %s\n", static_cast<int>(e.problem()), e.what());
    return isRight;
}

/// Returns the exit status of a round: 0 when all errors are right, and 77 without a device.
int runRound(int faulty) {
    try {
        ferry::Device device = ferry::Device::cuda();
        int numbers[32] = {};
        Holder holder{numbers, 32};
        auto there = device.copy(holder);
        const std::string place = "launched at faults.cu:" + std::to_string(1000 + faulty);
        try {
            for (int i = 0; i < Launches; ++i) {
                device.launch({1, 32, "faults.cu", 1000 + i}, put, there, i == faulty ? reinterpret_cast<int*>(8) : nullptr, 1);
            }
            there.fetch();
            std::printf("wrong: the fault was not told\n");
            return 1;
        } catch (const ferry::DeviceError& e) {
            if (!isAbout(e, ferry::DeviceProblem::KernelFault, place)) return 1;
        }
        // CUDA has given the device up for this process: each call says so, and names the cause.
        for (int round = 0; round < 3; ++round) {
            try {
                device.copy(holder);
                std::printf("wrong: a copy to a lost device\n");
                return 1;
            } catch (const ferry::DeviceError& e) {
                if (!isAbout(e, ferry::DeviceProblem::DeviceLost, place)) return 1;
            }
        }
        return 0;
    } catch (const ferry::DeviceError& e) {
        if (e.problem() != ferry::DeviceProblem::NoDevice) {
            std::printf("wrong: %s\n", e.what());
            return 1;
        }
        return 77;
    }
}

}    // namespace

int main(int count, char** arguments) {
    const int rounds = count > 1 ? std::atoi(arguments[1]) : 5;
    int right = 0, withoutDevice = 0;
    for (int begin = 0; begin < rounds; begin += AtOnce) {
        const int end = begin + AtOnce < rounds ? begin + AtOnce : rounds;
        for (int round = begin; round < end; ++round) {
            if (fork() == 0) {
                const int status = runRound((round * 37 + 5) % Launches);
                std::fflush(stdout);
                _exit(status);
            }
        }
        for (int round = begin; round < end; ++round) {
            int status = 0;
            wait(&status);
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) ++right;
            if (WIFEXITED(status) && WEXITSTATUS(status) == 77) ++withoutDevice;
        }
    }
    if (withoutDevice == rounds) {
        std::printf("no device\n");
        return 0;
    }
    std::printf("%d of %d faulty launches named\n", right, rounds);
    return right == rounds ? 0 : 1;
}
