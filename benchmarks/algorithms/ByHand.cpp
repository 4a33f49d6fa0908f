#include <ferry/benchmarks/algorithms/ByHand.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

#include <mpi.h>

namespace bench {

namespace {

int rankHere() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

std::size_t rankCountHere() {
    int count = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    return static_cast<std::size_t>(count);
}

/// The values that all ranks have sent to this one, in the order of the ranks. begins and counts: index of the first value, and number of
/// values, of each rank.
template <class T>
struct Received {
    std::vector<T> values;
    std::vector<int> begins;
    std::vector<int> counts;
};

template <class T>
Received<T> exchange(const std::vector<T>& values, const std::vector<int>& sendBegins, const std::vector<int>& sendCounts,
                     MPI_Datatype type) {
    const std::size_t rankCount = sendCounts.size();
    Received<T> received{{}, std::vector<int>(rankCount), std::vector<int>(rankCount)};
    MPI_Alltoall(sendCounts.data(), 1, MPI_INT, received.counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    for (std::size_t rank = 1; rank < rankCount; ++rank) received.begins[rank] = received.begins[rank - 1] + received.counts[rank - 1];
    received.values.resize(static_cast<std::size_t>(received.begins.back() + received.counts.back()));
    MPI_Alltoallv(values.data(), sendCounts.data(), sendBegins.data(), type, received.values.data(), received.counts.data(),
                  received.begins.data(), type, MPI_COMM_WORLD);
    return received;
}

}    // namespace

std::vector<int> endsOfParts(const Numbers& numbers, Numbers samples, int rankCount) {
    std::sort(samples.begin(), samples.end());
    std::vector<int> ends;
    for (int rank = 1; rank < rankCount; ++rank) {
        const Number splitter = samples[static_cast<std::size_t>(rank) * samples.size() / static_cast<std::size_t>(rankCount)];
        ends.push_back(static_cast<int>(std::lower_bound(numbers.begin(), numbers.end(), splitter) - numbers.begin()));
    }
    ends.push_back(static_cast<int>(numbers.size()));
    return ends;
}

Numbers samplesOf(const Numbers& numbers) {
    Numbers samples;
    for (std::size_t place = 0; place < numbers.size(); place += numbers.size() / 64) samples.push_back(numbers[place]);
    samples.resize(64);
    return samples;
}

void mergeRuns(Numbers& numbers, const std::vector<int>& begins) {
    const std::size_t runCount = begins.size();
    const auto at = [&](std::size_t run) { return run < runCount ? numbers.begin() + begins[run] : numbers.end(); };
    for (std::size_t width = 1; width < runCount; width *= 2) {
        for (std::size_t left = 0; left + width < runCount; left += 2 * width)
            std::inplace_merge(at(left), at(left + width), at(left + 2 * width));
    }
}

Numbers sortWithMpi(Numbers numbers) {
    const std::size_t rankCount = rankCountHere();
    std::sort(numbers.begin(), numbers.end());
    const Numbers own = samplesOf(numbers);
    Numbers samples(own.size() * rankCount);
    MPI_Allgather(own.data(), static_cast<int>(own.size()), MPI_UINT64_T, samples.data(), static_cast<int>(own.size()), MPI_UINT64_T,
                  MPI_COMM_WORLD);
    const std::vector<int> ends = endsOfParts(numbers, samples, static_cast<int>(rankCount));
    std::vector<int> counts(rankCount);
    std::vector<int> begins(rankCount);
    for (std::size_t rank = 0; rank < rankCount; ++rank) {
        begins[rank] = rank == 0 ? 0 : ends[rank - 1];
        counts[rank] = ends[rank] - begins[rank];
    }
    Received<Number> received = exchange(numbers, begins, counts, MPI_UINT64_T);
    mergeRuns(received.values, received.begins);
    return std::move(received.values);
}

std::map<int, Numbers> exchangeWithAllToAll(const std::map<int, Numbers>& outgoing) {
    std::vector<int> counts(rankCountHere());
    std::vector<int> begins(rankCountHere());
    Numbers values;
    for (const auto& [to, numbers] : outgoing) {
        begins[static_cast<std::size_t>(to)] = static_cast<int>(values.size());
        counts[static_cast<std::size_t>(to)] = static_cast<int>(numbers.size());
        values.insert(values.end(), numbers.begin(), numbers.end());
    }
    const Received<Number> received = exchange(values, begins, counts, MPI_UINT64_T);
    std::map<int, Numbers> incoming;
    for (std::size_t from = 0; from < counts.size(); ++from) {
        const auto begin = received.values.begin() + received.begins[from];
        if (received.counts[from] != 0) incoming[static_cast<int>(from)] = Numbers(begin, begin + received.counts[from]);
    }
    return incoming;
}

std::map<int, Numbers> exchangeWithNbx(const std::map<int, Numbers>& outgoing) {
    constexpr int tag = 5;
    std::vector<MPI_Request> sends;
    for (const auto& [to, numbers] : outgoing)
        MPI_Issend(numbers.data(), static_cast<int>(numbers.size()), MPI_UINT64_T, to, tag, MPI_COMM_WORLD, &sends.emplace_back());
    std::map<int, Numbers> incoming;
    MPI_Request barrier = MPI_REQUEST_NULL;
    bool isInBarrier = false;
    for (int isOver = 0; isOver == 0;) {
        int hasCome = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &hasCome, &status);
        if (hasCome != 0) {
            int count = 0;
            MPI_Get_count(&status, MPI_UINT64_T, &count);
            Numbers& numbers = incoming[status.MPI_SOURCE];
            numbers.resize(static_cast<std::size_t>(count));
            MPI_Recv(numbers.data(), count, MPI_UINT64_T, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (isInBarrier) {
            MPI_Test(&barrier, &isOver, MPI_STATUS_IGNORE);
        } else {
            int haveArrived = 0;
            MPI_Testall(static_cast<int>(sends.size()), sends.data(), &haveArrived, MPI_STATUSES_IGNORE);
            if (haveArrived != 0) MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
            isInBarrier = haveArrived != 0;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);    // the next exchange must not receive messages of this one
    return incoming;
}

std::vector<int> breadthFirstSearchWithMpi(const verbs::BlockGraph& graph, verbs::Vertex source) {
    const std::size_t rankCount = rankCountHere();
    std::vector<int> distances(graph.ownCount(), -1);
    std::vector<verbs::Vertex> reached;
    if (graph.ownerOf(source) == rankHere()) reached.push_back(source);
    for (int distance = 0;; ++distance) {
        int isGoingOn = reached.empty() ? 0 : 1;
        MPI_Allreduce(MPI_IN_PLACE, &isGoingOn, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
        if (isGoingOn == 0) return distances;
        std::vector<std::vector<verbs::Vertex>> next(rankCount);
        for (const verbs::Vertex vertex : reached) {
            int& known = distances[graph.placeOf(vertex)];
            if (known != -1) continue;
            known = distance;
            for (const verbs::Vertex neighbour : graph.neighboursOf(vertex))
                next[static_cast<std::size_t>(graph.ownerOf(neighbour))].push_back(neighbour);
        }
        std::vector<int> counts;
        std::vector<int> begins;
        std::vector<verbs::Vertex> values;
        for (const std::vector<verbs::Vertex>& part : next) {
            begins.push_back(static_cast<int>(values.size()));
            counts.push_back(static_cast<int>(part.size()));
            values.insert(values.end(), part.begin(), part.end());
        }
        reached = exchange(values, begins, counts, MPI_LONG).values;
    }
}

}    // namespace bench
