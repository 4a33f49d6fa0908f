#include <ferry/framework/slave/KeptStore.hpp>

#include <algorithm>
#include <new>
#include <utility>

#include <ferry/connector/message/state/insist.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/parcel/TaskNotice.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

// Ints from which on a result is sent from its place, and may need help to leave.
constexpr std::size_t largeInts = 8 * 1024;

/// The store of the slave that runs on this thread; null elsewhere.
thread_local const KeptStore* storeOfThisThread = nullptr;

}    // namespace

KeptStore::~KeptStore() {
    if (unmovedCount_ < 2) return;
    ifMemory([this] {
        logLine(spdlog::level::warn, "{} times a slave had more results in memory than --ferry-keep-memory allows, and no file for them",
                unmovedCount_);
    });
}

const KeptStore* KeptStore::ofThisThread() noexcept { return storeOfThisThread; }
void KeptStore::setForThisThread(const KeptStore* store) noexcept { storeOfThisThread = store; }

std::size_t KeptStore::keep(std::int32_t number, std::unique_ptr<Message> result) {
    auto value = std::make_shared<KeptValue>(number, mailbox_.factory());
    auto ints = std::make_shared<const IntBuffer>(
        mailbox_.pack(Envelope{JobKind::TaskNotice, static_cast<std::int32_t>(TaskNotice::Kept), number}, [&result](IntWriter& out) {
            out.writeInt(result->classId());
            out << *result;
        }));
    const std::size_t count = ints->size() - Envelope::sizeInts;
    value->setInts(std::move(ints));
    value->setObject(std::move(result));
    drop(number);    // of an earlier making
    Entry own;
    own.value = std::move(value);
    own.isOwn = true;
    const auto place = entries_.emplace(number, std::move(own)).first;
    try {
        recount(number, place->second);
    } catch (...) {
        erase(place);
        throw;
    }
    makeRoom();
    return count;
}

void KeptStore::drop(std::int32_t number) noexcept {
    const auto found = entries_.find(number);
    if (found == entries_.end()) return;
    if (found->second.isWanted) hasStrays_ = true;
    endWanted(found->second);
    erase(found);
}

/// Removes an entry with all that is kept for it. A result that is made again under its number must not meet its old bytes in the file.
void KeptStore::erase(Entries::iterator found) noexcept {
    uncount(found->second);
    files_.remove(found->first);
    entries_.erase(found);
}

void KeptStore::endWanted(Entry& entry) noexcept {
    if (std::exchange(entry.isWanted, false)) --wantedCount_;
}

bool KeptStore::takeAtOnce(const Letter& notice) {
    const std::int32_t number = notice.envelope.number;
    switch (noticeIn(notice)) {
        case TaskNotice::Give: return notice.from == 0 && give(number, numbersIn(notice));
        case TaskNotice::Drop:
            if (notice.from != 0) return false;
            for (const std::int32_t each : numbersIn(notice)) drop(each);
            return true;
        case TaskNotice::Kept: {    // a result that nobody waits for is dropped here
            const auto found = entries_.find(number);
            return found == entries_.end() || !found->second.isWanted;
        }
        default: return false;
    }
}

/// Sends the result to the readers, or tells the master that it is not here.
bool KeptStore::give(std::int32_t number, const std::vector<std::int32_t>& readers) {
    const std::shared_ptr<const IntBuffer> ints = intsOf(number);
    for (const std::int32_t reader : readers) {
        if (reader < 0 || reader >= mailbox_.transport().size()) continue;
        if (!ints) {
            sendNotice(mailbox_, 0, TaskNotice::Absent, {reader}, number);
        } else if (ints->size() < largeInts) {
            mailbox_.postNow(reader, IntBuffer(*ints));
        } else {
            IntBuffer letter(ints->ints().first(Envelope::sizeInts));
            const auto rest = ints->ints().subspan(Envelope::sizeInts);
            letter.borrow(reinterpret_cast<const std::byte*>(rest.data()), rest.size());
            mailbox_.postNow(reader, std::move(letter), ints);
            hasServed_ = true;
        }
    }
    return true;
}

/// The ints of a result that is here. Null: it is not here, or its file cannot be read. In the second case nothing of it stays in the file.
std::shared_ptr<const IntBuffer> KeptStore::intsOf(std::int32_t number) {
    const auto found = entries_.find(number);
    if (found == entries_.end()) return nullptr;
    if (found->second.value->isHere()) return found->second.value->ints();
    if (!found->second.isInFile) return nullptr;
    try {
        return files_.read(number);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        ifMemory([&] { logLine(spdlog::level::warn, "a result that stays here cannot be read from its file: {}", error.what()); });
        files_.remove(number);
        found->second.isInFile = false;
        return nullptr;
    }
}

void KeptStore::arrive(Letter letter) {
    const std::int32_t number = letter.envelope.number;
    const auto found = entries_.find(number);
    if (found == entries_.end() || !found->second.isWanted) return;
    const bool isNoted = std::find(noted_.begin(), noted_.end(), number) != noted_.end();
    if (letter.missingInts != 0 && !isNoted) return miss(number);
    endWanted(found->second);
    static_cast<void>(letter.body());    // throws when ints are missing for lack of memory
    found->second.value->setInts(insist([&letter] { return std::make_shared<const IntBuffer>(std::move(letter.ints)); }));
    recount(number, found->second);
    makeRoom();
}

void KeptStore::miss(std::int32_t number) noexcept {
    const auto found = entries_.find(number);
    if (found == entries_.end() || !found->second.isWanted) return;
    endWanted(found->second);
    if (std::find(noted_.begin(), noted_.end(), number) == noted_.end()) erase(found);
}

// The results that a task reads.

std::int32_t KeptStore::noteWritten(const std::shared_ptr<RefTarget>&) {
    throw UsageError("a handler sends no Refs: only the master submits tasks that have them");
}

std::shared_ptr<RefTarget> KeptStore::noteRead(std::int32_t number) {
    noted_.push_back(number);    // the end of the task removes an entry without a result
    if (const auto found = entries_.find(number); found != entries_.end()) return found->second.value;
    Entry entry;
    entry.value = std::make_shared<KeptValue>(number, mailbox_.factory());
    return entries_.emplace(number, std::move(entry)).first->second.value;
}

void KeptStore::fetch() {
    std::vector<std::int32_t> absent;
    for (const std::int32_t number : noted_) {
        Entry& entry = entries_.at(number);
        if (entry.value->isHere() || entry.isWanted) continue;
        if (entry.isInFile) {
            entry.value->setInts(intsOf(number));
            entry.isInFile = false;    // the file stays: the ints are not written again
        }
        if (entry.value->isHere()) {
            recount(number, entry);
        } else {
            absent.push_back(number);
        }
    }
    if (absent.empty()) return makeRoom();
    std::sort(absent.begin(), absent.end());
    absent.erase(std::unique(absent.begin(), absent.end()), absent.end());
    sendNotice(mailbox_, 0, TaskNotice::Want, absent);
    for (const std::int32_t number : absent) {
        entries_.at(number).isWanted = true;
        ++wantedCount_;
    }
}

bool KeptStore::isFetched() const {
    const auto isOpen = [this](std::int32_t number) {
        const auto found = entries_.find(number);
        return found != entries_.end() && found->second.isWanted;
    };
    return std::none_of(noted_.begin(), noted_.end(), isOpen);
}

bool KeptStore::areAllHere() const {
    return std::all_of(noted_.begin(), noted_.end(), [this](std::int32_t number) {
        const auto found = entries_.find(number);
        return found != entries_.end() && found->second.value->isHere();
    });
}

void KeptStore::endTask() noexcept {
    if (noted_.empty()) return;
    for (const std::int32_t number : noted_) {
        const auto found = entries_.find(number);
        if (found == entries_.end()) continue;
        Entry& entry = found->second;
        if (entry.value->isHere()) {
            ifMemory([&] { recount(number, entry); });    // a handler may have read the object
        } else if (!entry.isWanted && !entry.isInFile) {
            erase(found);
        }
    }
    noted_.clear();
    makeRoom();
}

// Memory.

/// Counts the memory of the entry, as the one that was used last.
void KeptStore::recount(std::int32_t number, Entry& entry) {
    const std::size_t bytes = entry.value->bytes();
    if (entry.bytes == 0 && bytes > 0) {
        entry.place = order_.insert(order_.end(), number);
    } else if (bytes > 0) {
        order_.splice(order_.end(), order_, entry.place);
    } else if (entry.bytes > 0) {
        order_.erase(entry.place);
    }
    memoryBytes_ = memoryBytes_ - entry.bytes + bytes;
    entry.bytes = bytes;
}

void KeptStore::uncount(Entry& entry) noexcept {
    if (entry.bytes > 0) order_.erase(entry.place);
    memoryBytes_ -= std::exchange(entry.bytes, 0);
}

/// Frees memory beyond the limit. Results that a task reads stay. When the disk has no room, own results stay as well.
void KeptStore::makeRoom() noexcept {
    ifMemory([this] {
        for (auto place = order_.begin(); memoryBytes_ > limit_ && place != order_.end();) {
            const std::int32_t number = *place++;    // shrink() may take the place out
            if (!shrink(number, entries_.at(number))) return;
        }
    });
}

/// Frees the memory of a result that no Ref refers to. False: the disk takes no more.
bool KeptStore::shrink(std::int32_t number, Entry& entry) {
    if (entry.value.use_count() > 1) return true;
    if (entry.isOwn) {
        try {
            if (!files_.has(number)) files_.write(number, *entry.value->ints());
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            if (++unmovedCount_ == 1) {
                ifMemory([&] {
                    logLine(spdlog::level::warn,
                            "results stay in memory beyond the limit (--ferry-keep-memory); further ones are counted: {}", error.what());
                });
            }
            return false;
        }
        entry.isInFile = true;
        entry.value->dropAll();
        uncount(entry);
    } else {
        erase(entries_.find(number));
    }
    return true;
}

}    // namespace ferry::detail
