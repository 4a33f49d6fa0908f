#include <ferry/guard/meeting/Census.hpp>

#include <algorithm>
#include <cstddef>

namespace ferry::pmpi {

namespace {

constexpr int censusTag = 6;    // on the meeting place

std::int64_t packedPair(std::int32_t high, std::int32_t low) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32 | static_cast<std::uint32_t>(low));
}
std::int32_t highOf(std::int64_t pair) { return static_cast<std::int32_t>(static_cast<std::uint64_t>(pair) >> 32); }
std::int32_t lowOf(std::int64_t pair) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(pair)); }

}    // namespace

Census::Census(MPI_Comm communicator, int rank, int size)
    : sideMessages_(communicator, size, censusTag),
      rank_(rank),
      waits_(static_cast<std::size_t>(size)) {}

void Census::beginRegion(std::int32_t region) {
    sideMessages_.beginRegion(region);
    ++round_;
    asked_.clear();
}

bool Census::isAsked() {
    while (const std::optional<SideMessages::SideMessage> sideMessage = sideMessages_.next()) take(*sideMessage);
    return !asked_.empty();
}

bool Census::isAskedForMessages() const noexcept {
    return std::any_of(asked_.begin(), asked_.end(), [](const Asked& asked) { return asked.wantsMessages; });
}

void Census::take(const SideMessages::SideMessage& sideMessage) {
    const auto& [kind, round, first, second] = sideMessage.contents;
    if (kind == Question || kind == QuestionForMessages) {
        asked_.push_back({sideMessage.from, round, kind == QuestionForMessages});
    } else if (round == round_ && kind == Message) {
        messages_.push_back({(first & 1) != 0, sideMessage.from, static_cast<int>((first >> 1) - 1), highOf(second), lowOf(second)});
    } else if (round == round_) {
        std::optional<Wait>& wait = waits_[static_cast<std::size_t>(sideMessage.from)];
        if (!wait) ++answeredCount_;
        wait = Wait{static_cast<std::uint64_t>(first), second >> 2, (second & 1) != 0, (second & 2) != 0};
    }
}

void Census::answer(const Wait& own, const std::vector<OpenMessage>& messages) {
    for (const Asked& asked : asked_) {
        // Side messages to one rank keep their order: all messages come before the answer.
        if (asked.wantsMessages) {
            for (const OpenMessage& message : messages)
                sideMessages_.send(asked.by, {Message, asked.round, (std::int64_t{message.peer} + 1) << 1 | (message.isSend ? 1 : 0),
                                              packedPair(message.communicator, message.tag)});
        }
        sideMessages_.send(asked.by, {Answer, asked.round, static_cast<std::int64_t>(own.serial),
                                      own.millis << 2 | (own.areTests ? 2 : 0) | (own.canOnlyWait ? 1 : 0)});
    }
    asked_.clear();
}

void Census::ask(bool wantsMessages) {
    ++round_;
    answeredCount_ = 0;
    waits_.assign(waits_.size(), std::nullopt);
    messages_.clear();
    for (int rank = 0; rank < static_cast<int>(waits_.size()); ++rank) {
        if (rank != rank_) sideMessages_.send(rank, {wantsMessages ? QuestionForMessages : Question, round_, 0, 0});
    }
}

}    // namespace ferry::pmpi
