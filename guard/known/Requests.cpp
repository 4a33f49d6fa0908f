#include <ferry/guard/known/Requests.hpp>

#include <cstring>
#include <utility>

namespace ferry::pmpi {

namespace {

std::uint64_t bitsOf(MPI_Request request) noexcept {
    std::uint64_t bits = 0;    // a handle is a pointer in some MPIs, an int in others
    static_assert(sizeof(request) <= sizeof(bits));
    std::memcpy(&bits, &request, sizeof(request));
    return bits;
}

}    // namespace

void Requests::add(MPI_Request request, const Operation& operation) {
    if (request == MPI_REQUEST_NULL) return;
    if (2 * (count_ + 1) > slots_.size()) grow();
    const std::size_t place = placeOf(request);
    if (slots_[place].request == request) return;
    slots_[place] = {request, operation};
    ++count_;
}

void Requests::remove(MPI_Request request) noexcept {
    if (request == MPI_REQUEST_NULL) return;
    const std::size_t mask = slots_.size() - 1;
    std::size_t hole = placeOf(request);
    if (slots_[hole].request != request) return;
    --count_;
    // Entries after the hole that would not be found any more move up.
    for (std::size_t i = (hole + 1) & mask; slots_[i].request != MPI_REQUEST_NULL; i = (i + 1) & mask) {
        const std::size_t home = homeOf(slots_[i].request);
        if (((i - home) & mask) < ((i - hole) & mask)) continue;
        slots_[hole] = slots_[i];
        hole = i;
    }
    slots_[hole] = {};
}

bool Requests::contains(MPI_Request request) const noexcept { return find(request) != nullptr; }

const Operation* Requests::find(MPI_Request request) const noexcept {
    if (request == MPI_REQUEST_NULL) return nullptr;
    const Entry& entry = slots_[placeOf(request)];
    return entry.request == request ? &entry.operation : nullptr;
}

std::vector<Requests::Entry> Requests::all() const {
    std::vector<Entry> found;
    for (const Entry& entry : slots_) {
        if (entry.request != MPI_REQUEST_NULL) found.push_back(entry);
    }
    return found;
}

void Requests::clear() noexcept {
    for (Entry& entry : slots_) entry = {};
    count_ = 0;
}

std::size_t Requests::homeOf(MPI_Request request) const noexcept {
    constexpr std::uint64_t golden = 0x9E37'79B9'7F4A'7C15;    // Knuth's multiplicative hashing
    return static_cast<std::size_t>((bitsOf(request) * golden) >> 32) & (slots_.size() - 1);
}

/// The place of a request in the table, or the place where it would be.
std::size_t Requests::placeOf(MPI_Request request) const noexcept {
    std::size_t place = homeOf(request);
    while (slots_[place].request != MPI_REQUEST_NULL && slots_[place].request != request) place = (place + 1) & (slots_.size() - 1);
    return place;
}

void Requests::grow() {
    const std::vector<Entry> old = std::exchange(slots_, std::vector<Entry>(2 * slots_.size()));
    count_ = 0;
    for (const Entry& entry : old) add(entry.request, entry.operation);
}

}    // namespace ferry::pmpi
