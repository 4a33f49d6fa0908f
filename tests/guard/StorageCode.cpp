// A checkpoint file, and an MPI window into which the neighbours put their borders.
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include <ferry/tests/guard/Codes.hpp>
#include <ferry/tests/guard/CommonFile.hpp>

namespace ferry::test {

namespace {

constexpr std::size_t count = 2000;
constexpr int roundCount = 3;

class File {
public:
    File(MPI_Comm communicator, const std::string& name) {
        MPI_File_open(communicator, name.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &handle_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { MPI_File_close(&handle_); }
    MPI_File handle() const noexcept { return handle_; }

private:
    MPI_File handle_ = MPI_FILE_NULL;
};

class Window {
public:
    Window(MPI_Comm communicator, std::vector<double>& memory) {
        MPI_Win_create(memory.data(), static_cast<MPI_Aint>(memory.size() * sizeof(double)), sizeof(double), MPI_INFO_NULL, communicator,
                       &handle_);
    }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window() { MPI_Win_free(&handle_); }
    MPI_Win handle() const noexcept { return handle_; }

private:
    MPI_Win handle_ = MPI_WIN_NULL;
};

struct Ranks {
    int own = 0;
    int size = 0;
};

double putAround(MPI_Win window, std::vector<double>& memory, int round, const Ranks& at, Faults& faults) {
    const std::vector<double> border(memory.size(), at.own + round);
    const int length = static_cast<int>(border.size());
    faults.step();
    MPI_Win_fence(0, window);
    faults.step();
    MPI_Put(border.data(), length, MPI_DOUBLE, (at.own + 1) % at.size, 0, length, MPI_DOUBLE, window);
    faults.step();
    MPI_Win_fence(0, window);
    std::vector<double> fetched(border.size());
    faults.step();
    MPI_Get(fetched.data(), length, MPI_DOUBLE, (at.own + at.size - 1) % at.size, 0, length, MPI_DOUBLE, window);
    faults.step();
    MPI_Win_fence(0, window);
    return std::accumulate(memory.begin(), memory.end(), 0.0) + std::accumulate(fetched.begin(), fetched.end(), 0.0);
}

double saveAndLoad(MPI_File file, const std::vector<double>& memory, const Ranks& at, MPI_Comm communicator, Faults& faults) {
    const auto place = [&](int rank) { return static_cast<MPI_Offset>(memory.size() * sizeof(double)) * rank; };
    const int length = static_cast<int>(memory.size());
    faults.step();
    MPI_File_write_at_all(file, place(at.own), memory.data(), length, MPI_DOUBLE, MPI_STATUS_IGNORE);
    faults.step();
    MPI_File_sync(file);
    faults.step();
    MPI_Barrier(communicator);
    std::vector<double> loaded(memory.size());
    std::vector<double> others(memory.size());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_File_iread_at(file, place(at.own), loaded.data(), length, MPI_DOUBLE, &request);
    faults.step();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    faults.step();
    MPI_File_read_at_all(file, place((at.own + 1) % at.size), others.data(), length, MPI_DOUBLE, MPI_STATUS_IGNORE);
    return std::accumulate(loaded.begin(), loaded.end(), 0.0) - 2 * std::accumulate(others.begin(), others.end(), 0.0);
}

}    // namespace

double storage(MPI_Comm communicator, Faults& faults) {
    Ranks at;
    MPI_Comm_rank(communicator, &at.own);
    MPI_Comm_size(communicator, &at.size);
    faults.step();
    const std::string name = commonFileName(communicator);
    std::vector<double> memory(count);
    double sum = 0;
    {
        faults.step();
        const File file(communicator, name);
        faults.step();
        const Window window(communicator, memory);
        for (int round = 0; round < roundCount; ++round) {
            sum += putAround(window.handle(), memory, round, at, faults);
            sum += saveAndLoad(file.handle(), memory, at, communicator, faults);
        }
        faults.step();
    }
    double total = 0;
    faults.step();
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, communicator);
    return total;
}

}    // namespace ferry::test
