// A program that ends in the way that its first argument names. checkEndings.py runs it and checks the results.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <unistd.h>

#include <ferry/tests/framework/endings/Ways.hpp>

namespace endings {

namespace {

/// A class that only one rank knows, as if that rank ran another build.
class OnlyHere : public ferry::Message {
public:
    FERRY_FIELDS()
    static constexpr const char* ferryClassName() noexcept { return "endings::OnlyHere"; }
    ferry::detail::ClassId classId() const override { return ferry::detail::classIdOf(ferryClassName()); }
    const char* className() const override { return ferryClassName(); }
    const std::type_info& classType() const override { return typeid(OnlyHere); }
};

}    // namespace

void say(const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
    const char* name = std::getenv("FERRY_TEST_LINES");
    std::FILE* const file = name != nullptr ? std::fopen(name, "a") : nullptr;
    if (file == nullptr) return;
    std::fputs((line + "\n").c_str(), file);
    std::fclose(file);
}

void workAndListen(ferry::Connector& connector) {
    for (;;) {
        connector.poll();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

void workAndNotListen() { std::this_thread::sleep_for(std::chrono::minutes(10)); }

void prepareSlaves(ferry::Application& application, std::function<void(ferry::Task&)> handler) {
    application.slave().setUp([](ferry::Connector& connector) { return std::make_shared<Sentinel>("slave", connector.rank()); });
    application.slave().on<Work>([handler](const Work&, ferry::Task& task) {
        handler(task);
        return ferry::Done();
    });
    application.slave().on<Freight>([handler](const Freight&, ferry::Task& task) {
        handler(task);
        return ferry::Done();
    });
}

void giveWorkForEver(ferry::Master& master) {
    const Sentinel sentinel("master", 0);
    for (int number = 0;; ++number) {
        std::vector<ferry::Future<ferry::Done>> futures;
        for (int slave = 0; slave < 2 * master.slaveCount(); ++slave) futures.push_back(master.submit(Work(number)));
        for (auto& future : futures) future.get();
    }
}

}    // namespace endings

int main(int argc, char** argv) {
    using namespace endings;
    const char* stranger = std::getenv("FERRY_TEST_STRANGER");    // the rank with another build
    const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
    if (stranger != nullptr && rank != nullptr && std::string(stranger) == rank) ferry::ObjectFactory::global().add<OnlyHere>();

    Ways ways;
    addMasterWays(ways);
    addSlaveWays(ways);
    addExitWays(ways);
    addEveryRankWays(ways);
    addStatusWays(ways);
    addDeathWays(ways);
    addForcedWays(ways);
    if (argc < 2 || ways.count(argv[1]) == 0) {
        std::fprintf(stderr, "usage: endings WAY\n");
        return 2;
    }
    const Way& way = ways.at(argv[1]);
    if (std::string(argv[1]) == "mainThrowsAndCatches") {
        try {
            ferry::Application application(argc, argv);
            return way(application);
        } catch (const std::exception&) {
            return 1;
        }
    }
    ferry::Application application(argc, argv);
    return way(application);
}
