// Files of MPI in regions.
#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <ferry/tests/guard/CommonFile.hpp>
#include <ferry/tests/guard/World.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

constexpr int deletedOnClose = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
constexpr MPI_Offset intBytes = sizeof(int);

/// A file that its destructor closes.
struct OpenFile {
    explicit OpenFile(const std::string& name) {
        result = MPI_File_open(MPI_COMM_WORLD, name.c_str(), deletedOnClose, MPI_INFO_NULL, &file);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile() {
        if (file != MPI_FILE_NULL) MPI_File_close(&file);
    }
    MPI_File file = MPI_FILE_NULL;
    int result = MPI_SUCCESS;
};

/// Each rank writes its rank at its own place. Returns the sum of the numbers that this rank reads.
int writeAndRead(MPI_File file) {
    const int rank = worldRank();
    MPI_File_write_at_all(file, intBytes * rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<int> all(static_cast<std::size_t>(worldSize()));
    MPI_File_read_at_all(file, 0, all.data(), worldSize(), MPI_INT, MPI_STATUS_IGNORE);
    return std::accumulate(all.begin(), all.end(), 0);
}

int sumOfRanks() { return worldSize() * (worldSize() - 1) / 2; }

/// Runs a region that opens and uses the file again.
void checkFileUsable() {
    const std::string name = commonFileName(MPI_COMM_WORLD);
    int sum = 0;
    const ExceptionList failures = failuresOf([&] {
        const OpenFile open(name);
        sum = writeAndRead(open.file);
    });
    CHECK(failures.size() == 0);
    CHECK(sum == sumOfRanks());
    checkUsable();
    MPI_Barrier(MPI_COMM_WORLD);    // one rank deletes the file afterwards
    CHECK(!std::filesystem::exists(name));
}

}    // namespace

TEST_CASE("guarded: files behave as outside of regions") {
    checkFileUsable();
    const std::string name = commonFileName(MPI_COMM_WORLD);
    const int rank = worldRank();
    const int size = worldSize();
    const ExceptionList failures = failuresOf([&] {
        OpenFile open(name);
        MPI_File_set_size(open.file, intBytes * size * 4);
        MPI_Datatype strided = MPI_DATATYPE_NULL;
        MPI_Type_create_resized(MPI_INT, 0, static_cast<MPI_Aint>(sizeof(int)) * size, &strided);
        MPI_Type_commit(&strided);
        MPI_File_set_view(open.file, intBytes * rank, MPI_INT, strided, "native", MPI_INFO_NULL);
        const std::array<int, 3> own{rank, rank + 100, rank + 200};
        MPI_File_write_all(open.file, own.data(), 3, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_seek(open.file, 0, MPI_SEEK_SET);
        std::array<int, 3> read{};
        MPI_File_read_all(open.file, read.data(), 3, MPI_INT, MPI_STATUS_IGNORE);
        CHECK(read == own);
        MPI_Type_free(&strided);
        MPI_File_set_view(open.file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
        MPI_File_sync(open.file);
        MPI_Barrier(MPI_COMM_WORLD);
        int other = -1;
        MPI_File_read_at(open.file, (rank + 1) % size + size, &other, 1, MPI_INT, MPI_STATUS_IGNORE);
        CHECK(other == (rank + 1) % size + 100);
        std::array<MPI_Request, 2> requests{};
        MPI_File_iread_at(open.file, rank, &other, 1, MPI_INT, requests.data());
        MPI_File_iread_at_all(open.file, 2 * size + rank, read.data(), 1, MPI_INT, &requests[1]);
        MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
        CHECK(other == rank);
        CHECK(read[0] == rank + 200);
        MPI_File_close(&open.file);
        CHECK(open.file == MPI_FILE_NULL);
    });
    CHECK(failures.size() == 0);
    MPI_Barrier(MPI_COMM_WORLD);    // one rank deletes the file afterwards
    CHECK(!std::filesystem::exists(name));
}

TEST_CASE("guarded: a file from before the region may be used and closed there") {
    const std::string name = commonFileName(MPI_COMM_WORLD);
    OpenFile open(name);
    int sum = 0;
    CHECK(failuresOf([&] { sum = writeAndRead(open.file); }).size() == 0);
    CHECK(sum == sumOfRanks());
    checkFreed([&] { writeAndRead(open.file); });
    CHECK(failuresOf([&] { sum += writeAndRead(open.file); }).size() == 0);
    CHECK(sum == 2 * sumOfRanks());
    CHECK(failuresOf([&] { MPI_File_close(&open.file); }).size() == 0);
    MPI_Barrier(MPI_COMM_WORLD);    // one rank deletes the file afterwards
    CHECK(!std::filesystem::exists(name));
}

TEST_CASE("guarded: who waits in a collective call on a file is woken, and the file is closed when the region has failed") {
    int value = 0;
    const std::array<std::function<void(MPI_File)>, 5> calls{
        [&](MPI_File file) { MPI_File_write_at_all(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE); },
        [](MPI_File file) { MPI_File_set_size(file, 1000); },
        [](MPI_File file) { MPI_File_sync(file); },
        [](MPI_File file) { MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL); },
        [&](MPI_File file) {
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_File_iwrite_at_all(file, 0, &value, 1, MPI_INT, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        },
    };
    checkFreed([&] { const OpenFile open(commonFileName(MPI_COMM_WORLD)); });
    for (const auto& call : calls) {
        const std::string name = commonFileName(MPI_COMM_WORLD);
        const ExceptionList failures = failuresOf([&] {
            const OpenFile open(name);
            if (worldRank() == worldSize() - 1) throw std::domain_error("matrix is singular");
            call(open.file);
        });
        CHECK(failures.size() == 1);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(!std::filesystem::exists(name));    // the file was deleted at its close
        checkFileUsable();
    }
}

TEST_CASE("guarded: a destructor that waits for others to close a file is left without an exception when one of them fails") {
    const std::string name = commonFileName(MPI_COMM_WORLD);
    bool isBehind = false;
    const ExceptionList failures = failuresOf([&] {
        {
            const OpenFile open(name);
            if (worldRank() == 0) throw std::domain_error("matrix is singular");
        }
        isBehind = true;
        MPI_Barrier(MPI_COMM_WORLD);
        FAIL("the failure was not heard");
    });
    CHECK(failures.size() == 1);
    CHECK(isBehind == (worldRank() != 0));
    checkFileUsable();
}

TEST_CASE("guarded: a file that cannot be opened gives the error code of MPI") {
    MPI_File file = MPI_FILE_NULL;
    int result = MPI_SUCCESS;
    const ExceptionList failures =
        failuresOf([&] { result = MPI_File_open(MPI_COMM_WORLD, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &file); });
    CHECK(failures.size() == 0);
    CHECK(result != MPI_SUCCESS);
    checkUsable();
}
