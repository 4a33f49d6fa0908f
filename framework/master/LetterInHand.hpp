#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/parcel/Parcel.hpp>

namespace ferry::detail {

/// A letter of a slave that the master takes in, one parcel after the other.
///
/// A step without memory throws std::bad_alloc and loses nothing: it can be repeated later, at the same parcel.
class LetterInHand {
public:
    explicit LetterInHand(Letter letter) : unshared_(std::move(letter)) {}

    const Letter& letter() const noexcept { return shared_ ? *shared_ : *unshared_; }
    int from() const noexcept { return letter().from; }
    /// The letter as the calls keep it that it answers.
    const std::shared_ptr<const Letter>& shared() {
        if (!shared_) shared_ = std::make_shared<const Letter>(std::move(*unshared_));
        return shared_;
    }

    /// Cuts the letter into its parcels. Shares the letter. Errors: SerializationError for a damaged letter.
    void cut();
    bool isCut() const noexcept { return isCut_; }

    bool areReplies() const noexcept { return letter().envelope.kind == JobKind::Response; }
    /// Whether the slave gives tasks back. Such a letter may hold no parcel. To be called after cut().
    bool areGivenBack() const noexcept { return !areReplies() && !areNew_; }

    /// The next parcel; null: none is left. Parcels of tasks that are given back come in reverse order: the first one is put back last.
    const Parcel* next() const noexcept { return next_ < parcels_.size() ? &parcels_[next_] : nullptr; }
    /// Notes that the next parcel is taken in.
    void passNext() noexcept { ++next_; }

    /// The slave whose replies the next parcels are: the sender, or a slave of its group.
    int answeringRank() const noexcept { return answeringRank_ != 0 ? answeringRank_ : from(); }
    void setAnsweringRank(int rank) noexcept { answeringRank_ = rank; }

private:
    std::optional<Letter> unshared_;    ///< the letter until it is shared
    std::shared_ptr<const Letter> shared_{};
    std::vector<Parcel> parcels_{};
    std::size_t next_ = 0;
    int answeringRank_ = 0;    ///< 0: the sender
    bool areNew_ = false;      ///< handlers of the slave submit the tasks
    bool isCut_ = false;
};

}    // namespace ferry::detail
