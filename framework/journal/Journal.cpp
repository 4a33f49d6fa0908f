#include <ferry/framework/journal/Journal.hpp>

#include <array>
#include <utility>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/framework/journal/JournalLayout.hpp>
#include <ferry/framework/journal/JournalRecord.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/serialization/file/Checksum.hpp>

namespace ferry::detail {

Journal::Journal(const JournalSettings& settings, const ObjectFactory& factory)
    : file_(settings.path, FileDescription::of(FileKind::Journal, settings.title(), factory), settings.lockPatience),
      flushInterval_(settings.flushInterval) {
    if (leftCount() != 0) logLine(spdlog::level::info, "{}: {} tasks are done already", settings.path, leftCount());
}

Journal::~Journal() {
    try {
        finish();
    } catch (const std::exception& error) {
        if (!hasFailed_) logLine(spdlog::level::err, "while leaving the journal: {}", error.what());
    }
}

JournalKey Journal::keyOf(ClassId kind, std::span<const std::int32_t> task) {
    JournalKey key{kind, checksumOf(task, 0), 0};
    key.occurrence = counts_[key]++;
    return key;
}

std::optional<Journal::Reply> Journal::take(const JournalKey& key) {
    auto& places = file_.contents().places;
    const auto found = places.find(key);
    if (found == places.end()) return std::nullopt;
    auto [offset, chunk, intsLeft] = found->second;
    IntBuffer head;
    const JournalLayout layout = file_.layout();
    std::size_t chunkInts = layout.firstChunkInts(intsLeft);
    file_.readChunk(offset, chunk, chunkInts, head);
    Reply reply{JournalRecord::of(head.ints().first<JournalRecord::headInts>()).replyClass, {}};
    reply.ints.reserve(Envelope::sizeInts + static_cast<std::size_t>(intsLeft));
    reply.ints.append(std::array<std::int32_t, Envelope::sizeInts>{});
    reply.ints.append(head.ints().subspan(JournalRecord::headInts));
    intsLeft -= chunkInts - JournalRecord::headInts;
    while (intsLeft != 0) {
        offset += layout.chunkBytes(chunkInts);
        chunkInts = layout.furtherChunkInts(intsLeft);
        file_.readChunk(offset, ++chunk, chunkInts, reply.ints);
        intsLeft -= chunkInts;
    }
    places.erase(found);
    return reply;
}

void Journal::add(const JournalKey& key, ClassId replyClass, std::span<const std::int32_t> reply) {
    const auto head = JournalRecord{key, replyClass, reply.size()}.head();
    const JournalLayout layout = file_.layout();
    const std::size_t before = added_.ownSize();
    const std::uint64_t chunksBefore = addedChunks_;
    try {
        const std::size_t firstOfReply = layout.firstChunkInts(reply.size()) - head.size();
        addChunk(head, reply.first(firstOfReply));
        for (reply = reply.subspan(firstOfReply); !reply.empty();) {
            const std::size_t count = layout.furtherChunkInts(reply.size());
            addChunk(reply.first(count), {});
            reply = reply.subspan(count);
        }
    } catch (...) {    // a record is added as a whole or not at all
        added_.resizeWithin(before);
        addedChunks_ = chunksBefore;
        throw;
    }
}

void Journal::addChunk(std::span<const std::int32_t> first, std::span<const std::int32_t> second) {
    file_.addChunk(added_, addedChunks_, first, second);
    ++addedChunks_;
}

void Journal::write(TimePoint now) {
    const bool wasFlushed = !isUnflushed_;
    hasFailed_ = true;    // cleared at the end of this function
    writeAdded();
    if (!isUnflushed_) {
        hasFailed_ = false;
        return;
    }
    if (wasFlushed) nextFlush_ = now + flushInterval_;
    if (nextFlush_ <= now) {
        file_.flush();
        isUnflushed_ = false;
        nextFlush_ = TimePoint::max();
    }
    hasFailed_ = false;
}

void Journal::close() {
    if (std::exchange(hasFailed_, true)) return;
    finish();
    hasFailed_ = false;
}

void Journal::finish() {
    writeAdded();
    if (!isUnflushed_) return;
    file_.flush();
    isUnflushed_ = false;
    nextFlush_ = TimePoint::max();
}

void Journal::writeAdded() {
    if (added_.isEmpty()) return;
    file_.append(added_.ints(), addedChunks_);
    added_ = IntBuffer();
    addedChunks_ = 0;
    isUnflushed_ = true;
}

}    // namespace ferry::detail
