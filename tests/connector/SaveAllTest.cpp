#include <ferry/connector/saveAll.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry;
using namespace ferry::test;

namespace savealltest {

/// A folder of rank 0, whose name all ranks have.
struct CommonFolder {
    explicit CommonFolder(Connector& c) : folder(c.isMaster() ? std::make_unique<TemporaryFolder>() : nullptr) {
        path = c.broadcast(c.isMaster() ? folder->path() : std::filesystem::path());
    }
    std::unique_ptr<TemporaryFolder> folder;
    std::filesystem::path path;
};

std::vector<int> valueOf(int rank) { return std::vector<int>(static_cast<std::size_t>(100'000 * rank + 1), rank); }

}    // namespace savealltest

using namespace savealltest;

TEST_CASE("saveAll: each rank loads its own value again, and rank 0 alone loads those of all ranks") {
    onRanks([](Connector& c) {
        const CommonFolder common(c);
        const std::filesystem::path path = common.path / "all";
        saveAll(c, path, valueOf(c.rank()));
        const auto mine = loadAll<std::vector<int>>(c, path);
        REQUIRE(mine.size() == 1);
        CHECK(mine.front() == valueOf(c.rank()));
        const std::unique_ptr<Connector> alone = c.split(c.rank() == 0 ? 0 : 1);
        if (c.rank() == 0) {
            const auto all = loadAll<std::vector<int>>(*alone, path);
            REQUIRE(all.size() == static_cast<std::size_t>(c.size()));
            for (int rank = 0; rank < c.size(); ++rank) CHECK(all[static_cast<std::size_t>(rank)] == valueOf(rank));
        }
        c.barrier();
    });
}

TEST_CASE("loadAll: more ranks than values, so that some ranks get none, in the order of ranks") {
    onRanks([](Connector& c) {
        const CommonFolder common(c);
        const std::filesystem::path path = common.path / "few";
        const std::unique_ptr<Connector> half = c.split(c.rank() < (c.size() + 1) / 2 ? 0 : 1);
        if (c.rank() < half->size() && c.rank() < (c.size() + 1) / 2)
            saveAll(*half, path, std::string(1, static_cast<char>('a' + c.rank())));
        c.barrier();
        const auto mine = loadAll<std::string>(c, path);
        CHECK(mine.size() == (c.rank() < (c.size() + 1) / 2 ? 1u : 0u));
        CHECK(c.allGather(mine).size() == static_cast<std::size_t>((c.size() + 1) / 2));
    });
}

TEST_CASE("saveAll, loadAll: an error of rank 0 is thrown on every rank, and the connector can be used") {
    onRanks([](Connector& c) {
        const CommonFolder common(c);
        CHECK_THROWS_AS(saveAll(c, common.path / "no" / "such" / "folder", 1), ExceptionList);
        CHECK_THROWS_AS(static_cast<void>(loadAll<int>(c, common.path / "none")), ExceptionList);
        saveAll(c, common.path / "numbers", c.rank());
        CHECK_THROWS_AS(static_cast<void>(loadAll<std::string>(c, common.path / "numbers")), ExceptionList);
        checkUsable(c);
    });
}

TEST_CASE("saveAll, loadAll: paths that differ between ranks are an error on every rank, and no file is written") {
    onRanks([](Connector& c) {
        if (c.size() == 1) return;
        const CommonFolder common(c);
        const std::filesystem::path last = common.path / "last";
        const std::filesystem::path mine = c.rank() + 1 == c.size() ? last : common.path / "others";
        const auto textOf = [](const auto& call) -> std::string {
            try {
                call();
            } catch (const ExceptionList& list) {
                const auto* const wrong = list.front().as<UsageError>();
                return wrong == nullptr ? list.what() : wrong->what();
            }
            return "nothing was thrown";
        };
        const std::string saved = textOf([&] { saveAll(c, mine, 1); });
        CHECK(saved.find("saveAll: expected the same path on all ranks, found '") != std::string::npos);
        CHECK(saved.find("' on rank " + std::to_string(c.size() - 1)) != std::string::npos);
        c.barrier();
        CHECK_FALSE(std::filesystem::exists(common.path / "others"));
        CHECK_FALSE(std::filesystem::exists(last));
        saveAll(c, last, 1);
        CHECK(textOf([&] { static_cast<void>(loadAll<int>(c, mine)); }).find("loadAll: expected the same path") != std::string::npos);
        checkUsable(c);
    });
}
