#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include <fmt/format.h>

#include <ferry/benchmarks/graph/RankWatch.hpp>
#include <ferry/benchmarks/support/RatioTable.hpp>
#include <ferry/benchmarks/views/FerryPacked.hpp>
#include <ferry/benchmarks/views/HandWritten.hpp>
#include <ferry/benchmarks/views/Measurements.hpp>
#include <ferry/benchmarks/views/MpiPacked.hpp>
#include <ferry/benchmarks/views/PartDatatype.hpp>

namespace bench {

namespace {

/// Sends a sample from rank 0 to an object of rank 1, with every contender.
template <class T>
class SendingCase {
public:
    /// The value of rank 1 must differ from the expected one.
    SendingCase(ferry::Connector& connector, std::string name, T& value, std::vector<char> expected)
        : connector_(connector),
          name_(std::move(name)),
          value_(value),
          expected_(std::move(expected)) {
        suite_.declare(name_, "");
        add("ferry", [this] {
            if (connector_.isMaster()) {
                connector_.send(1, viewed(value_));
            } else {
                connector_.receiveInto(0, viewed(value_));
            }
            return 0;
        });
        addPacked<HandWritten>(MPI_BYTE);
        addPacked<MpiPacked>(MPI_PACKED);
    }

    void addDatatype() {
        const auto datatype = std::make_shared<PartDatatype<T>>();
        add(PartDatatype<T>::name, [this, datatype] {
            const int count = static_cast<int>(value_.objects.size());
            return connector_.isMaster()
                       ? MPI_Send(value_.objects.data(), count, datatype->type(), 1, 0, MPI_COMM_WORLD)
                       : MPI_Recv(value_.objects.data(), count, datatype->type(), 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        });
    }

    const Case& measured(int rounds) {
        Suite::measure(suite_.cases().front(), rounds);
        return suite_.cases().front();
    }

private:
    /// Packs, sends the bytes, and unpacks.
    template <class Library>
    void addPacked(MPI_Datatype type) {
        add(Library::name, [this, type, library = std::make_shared<Library>()] {
            auto& bytes = library->bytes();
            if (connector_.isMaster()) {
                library->pack(value_);
                return MPI_Send(bytes.data(), static_cast<int>(bytes.size()), type, 1, 0, MPI_COMM_WORLD);
            }
            MPI_Status status;
            int count = 0;
            MPI_Probe(0, 0, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, type, &count);
            bytes.resize(static_cast<std::size_t>(count));
            MPI_Recv(bytes.data(), count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            library->unpack(value_);
            return 0;
        });
    }

    template <class Operation>
    void add(const std::string& contender, const Operation& operation) {
        operation();
        if (bytesOf(value_) != expected_) throw std::logic_error(contender + " has received something else");
        suite_.addTimed(name_, contender, [operation] { return timeOnRanks(operation); });
    }

    ferry::Connector& connector_;
    std::string name_;
    T& value_;
    std::vector<char> expected_;
    Suite suite_;
};

const RatioTable& table() {
    static const RatioTable columns("ferry", "us", 1e3,
                                    {{"hand", "ferry / by hand", "ferry", HandWritten::name, RatioColumn::Goal::AtMost},
                                     {"MPI_Pack", "MPI_Pack / ferry", MpiPacked::name, "ferry"},
                                     {"MPI_Datatype", "MPI_Datatype / ferry", "MPI_Datatype", "ferry"}},
                                    RoundChoice::Least);
    return columns;
}

template <class Part>
void measureBounded(ferry::Connector& connector, std::vector<typename Part::Object> objects, const ViewsBenchOptions& options) {
    const std::string name = fmt::format("send {} {}", objects.size(), Part::name);
    if (!options.hasCase(name)) return;
    Part part{objects};
    auto expected = bytesOf(part);
    if (!connector.isMaster()) objects.assign(objects.size(), typename Part::Object());
    SendingCase<Part> sending(connector, name, part, std::move(expected));
    sending.addDatatype();
    const Case& measured = sending.measured(options.rounds);
    if (connector.isMaster()) table().printRow(measured);
}

/// Makes blocks of `bytes` bytes in total.
template <int Count>
std::vector<space::Slab<Count>> makeSlabs(std::size_t bytes) {
    std::vector<space::Slab<Count>> slabs;
    for (std::size_t i = 0; i < bytes / (Count * sizeof(double)); ++i) slabs.emplace_back(static_cast<double>(i + 1));
    return slabs;
}

template <class T>
void measureWhole(ferry::Connector& connector, const std::string& name, T value, const ViewsBenchOptions& options) {
    if (!options.hasCase(name)) return;
    auto expected = bytesOf(value);
    if (!connector.isMaster()) value = T();
    SendingCase<T> sending(connector, name, value, std::move(expected));
    const Case& measured = sending.measured(options.rounds);
    if (connector.isMaster()) table().printRow(measured);
}

}    // namespace

void measureSending(ferry::Connector& connector, const ViewsBenchOptions& options) {
    if (connector.isMaster()) table().printHead();
    for (const std::size_t count : massCounts) measureBounded<AdjacentPart>(connector, makeMasses(count), options);
    for (const std::size_t count : massCounts) measureBounded<HoledPart>(connector, makeMasses(count), options);
    for (const std::size_t bytes : {std::size_t{1} << 16, std::size_t{1} << 20}) {
        measureBounded<EdgePart<8>>(connector, makeSlabs<8>(bytes), options);
        measureBounded<EdgePart<32>>(connector, makeSlabs<32>(bytes), options);
        measureBounded<EdgePart<2048>>(connector, makeSlabs<2048>(bytes), options);
    }
    for (const std::size_t count : massCounts)
        measureWhole(connector, fmt::format("send a mass with {} neighbours", count), makeCrowdedMass(count), options);
    measureWhole(connector, "send 64 networks", makePopulation(), options);
    measureWhole(connector, "send results", makeResults(), options);
}

}    // namespace bench
