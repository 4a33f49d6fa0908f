#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include <ferry/connector/exception/Awaited.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/serialization/ints/algorithms.hpp>

namespace ferry {

/// Any rank may be the sender.
constexpr int AnyRank = -1;

namespace detail {

/// "rank 2", or "any rank".
std::string sourceInWords(int from);

/// The type of a letter's contents.
struct LetterType {
    MessageKind kind;
    std::int32_t key;
};

/// The condition on letters that a call waits for.
class Filter {
public:
    /// Describes the matching letters in words, such as "a value of type int from rank 2". Called only when the text is needed.
    using Description = std::string (*)(const Filter&);

    explicit Filter(std::initializer_list<MessageKind> kinds, int from = AnyRank) noexcept : from_(from) {
        for (const MessageKind kind : kinds) kinds_ |= bit(kind);
    }

    Filter& withKey(std::int32_t key) noexcept {
        key_ = key;
        return *this;
    }
    Filter& withNumber(std::int32_t number) noexcept {
        number_ = number;
        return *this;
    }

    /// Only letters of one of these types, which must outlive the filter.
    Filter& withTypes(std::span<const LetterType> types) noexcept {
        types_ = types;
        return *this;
    }
    Filter& describedBy(Description description) noexcept {
        description_ = description;
        return *this;
    }

    /// The only sender whose letters match, or AnyRank.
    int from() const noexcept { return from_; }
    /// The key of matching letters; 0 when any key matches.
    std::int32_t key() const noexcept { return key_.value_or(0); }
    /// The number of matching letters; none when any number matches.
    std::optional<std::int32_t> number() const noexcept { return number_; }

    /// Whether the letters are steps of a collective.
    bool isOfCollective() const noexcept { return (kinds_ & bit(MessageKind::Collective)) != 0; }

    /// A filter for the letters of the same graph as this letter, which must match.
    Filter narrowedTo(const Letter& letter) const noexcept {
        Filter rest = *this;
        rest.from_ = letter.from;
        return rest.withKey(letter.envelope.key).withNumber(letter.envelope.number);
    }

    /// The ranks and the text that describe a wait for such a letter.
    Awaited awaited() const;

    bool matches(const Letter& letter) const noexcept {
        return (from_ == AnyRank || from_ == letter.from) && (!number_ || *number_ == letter.envelope.number) && isOfType(letter);
    }

    /// How far the letter is from a match: 0 for a match, 1 for a letter of another type, 2 for another tag, more for greater differences.
    int missOf(const Letter& letter) const noexcept;

private:
    /// Whether kind, key and types match.
    bool isOfType(const Letter& letter) const noexcept {
        return (kinds_ & bit(letter.envelope.kind)) != 0 && (!key_ || *key_ == letter.envelope.key) &&
               (types_.empty() || std::any_of(types_.begin(), types_.end(), [&letter](const LetterType& type) {
                    return type.kind == letter.envelope.kind && type.key == letter.envelope.key;
                }));
    }
    /// A number that is no kind has no bit, so a damaged letter matches nothing.
    static constexpr std::uint32_t bit(MessageKind kind) noexcept {
        const auto number = static_cast<std::uint32_t>(kind);
        return number < 32 ? 1u << number : 0;
    }

    int from_;
    std::uint32_t kinds_ = 0;
    std::optional<std::int32_t> key_;
    std::optional<std::int32_t> number_;
    std::span<const LetterType> types_{};    ///< empty: all types
    Description description_ = nullptr;
};

/// " from rank 2", followed by ", tag 7" when the matching letters have a tag.
std::string originInWords(const Filter& filter);

}    // namespace detail

}    // namespace ferry
