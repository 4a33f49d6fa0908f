#include <ferry/guard/meeting/SideMessages.hpp>

#include <algorithm>

#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

SideMessages::SideMessages(MPI_Comm communicator, int size, int tag)
    : communicator_(communicator),
      tag_(tag),
      sentCounts_(static_cast<std::size_t>(size)) {
    postReceive();
}

void SideMessages::beginRegion(std::int32_t region) {
    region_ = region;
    dropSent();    // also on a rank that sends side messages and gets none
    arrived_.remove_if([region](const Arrived& one) { return one.region < region; });
}

void SideMessages::send(int to, const Contents& contents) {
    Sent& sent = sent_.emplace_back();
    sent.packet[0] = region_;
    std::copy(contents.begin(), contents.end(), sent.packet.begin() + 1);
    must(PMPI_Isend(sent.packet.data(), static_cast<int>(sent.packet.size()), MPI_INT64_T, to, tag_, communicator_, &sent.request),
         "MPI_Isend");
    ++sentCounts_[static_cast<std::size_t>(to)];
}

std::optional<SideMessages::SideMessage> SideMessages::next() {
    take();
    const auto isNow = [this](const Arrived& one) { return one.region == region_; };
    const auto found = std::find_if(arrived_.begin(), arrived_.end(), isNow);
    if (found == arrived_.end()) return std::nullopt;
    const SideMessage sideMessage = found->sideMessage;
    arrived_.erase(found);
    return sideMessage;
}

void SideMessages::take() {
    int hasCome = 0;
    MPI_Status status;
    must(PMPI_Test(&arrival_, &hasCome, &status), "MPI_Test");
    if (hasCome == 0) return;
    ++receivedCount_;
    if (arriving_[0] >= region_) {
        Arrived& one = arrived_.emplace_back();
        one.region = arriving_[0];
        one.sideMessage.from = status.MPI_SOURCE;
        std::copy(arriving_.begin() + 1, arriving_.end(), one.sideMessage.contents.begin());
    }
    postReceive();
    dropSent();
}

void SideMessages::dropSent() {
    sent_.remove_if([](Sent& sent) {
        int isOver = 0;
        must(PMPI_Test(&sent.request, &isOver, MPI_STATUS_IGNORE), "MPI_Test");
        return isOver != 0;
    });
}

void SideMessages::postReceive() {
    must(PMPI_Irecv(arriving_.data(), static_cast<int>(arriving_.size()), MPI_INT64_T, MPI_ANY_SOURCE, tag_, communicator_, &arrival_),
         "MPI_Irecv");
}

void SideMessages::end() {
    int expectedCount = 0;
    must(PMPI_Reduce_scatter_block(sentCounts_.data(), &expectedCount, 1, MPI_INT, MPI_SUM, communicator_), "MPI_Reduce_scatter_block");
    for (; receivedCount_ < expectedCount; ++receivedCount_) {
        must(PMPI_Wait(&arrival_, MPI_STATUS_IGNORE), "MPI_Wait");
        postReceive();
    }
    for (Sent& sent : sent_) must(PMPI_Wait(&sent.request, MPI_STATUS_IGNORE), "MPI_Wait");
    sent_.clear();
    must(PMPI_Cancel(&arrival_), "MPI_Cancel");
    must(PMPI_Wait(&arrival_, MPI_STATUS_IGNORE), "MPI_Wait");
}

}    // namespace ferry::pmpi
