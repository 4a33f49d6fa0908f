#include <ferry/device/image/ArrayEnds.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::detail {

namespace {

std::uintptr_t hostAddress(const void* memory) noexcept { return reinterpret_cast<std::uintptr_t>(memory); }

[[noreturn]] void failLateArray(const ImageBlock& block) {
    throw UsageError(
        fmt::format("a pointer to {} was followed, and leads to the end of an array that was found behind it: let an earlier "
                    "member lead to the array, or keep a count in the place of a pointer to the end",
                    typeName(*block.type->type)));
}

}    // namespace

void ArrayEnds::clear() noexcept {
    guesses_.clear();
    types_.clear();
    empties_.clear();
    ends_.clear();
    found_.clear();
    nextGuess_ = notedBlocks_ = notedEmpties_ = 0;
}

void ArrayEnds::addGuess(std::uint32_t index, const std::type_info& type) {
    guesses_.push_back(index);
    if (!types_.empty() && types_.back() == &type) return;
    if (std::find(types_.begin(), types_.end(), &type) != types_.end()) return;
    types_.push_back(&type);
    notedBlocks_ = notedEmpties_ = 0;    // the ends of its arrays are of interest from now on
}

void ArrayEnds::noteArrays(const std::vector<ImageBlock>& blocks) {
    const auto isGuessed = [this](const std::type_info* type) { return std::find(types_.begin(), types_.end(), type) != types_.end(); };
    for (; notedBlocks_ < blocks.size(); ++notedBlocks_) {
        const ImageBlock& block = blocks[notedBlocks_];
        if (!block.hasEnd || !isGuessed(block.type->type)) continue;
        ends_[{static_cast<const std::byte*>(block.host) + block.bytes(), 0, block.type->type}] =
            static_cast<std::uint32_t>(notedBlocks_) + 1;
    }
    for (; notedEmpties_ < empties_.size(); ++notedEmpties_) {
        if (isGuessed(empties_[notedEmpties_].type)) ends_.try_emplace(empties_[notedEmpties_], 0);
    }
}

bool ArrayEnds::isAtEnd(const ImageBlock& block) const {
    return block.isGuess && ends_.find({block.host, 0, block.type->type}) != ends_.end();
}

bool ArrayEnds::nextObject(std::vector<ImageBlock>& blocks, std::uint32_t& index) {
    if (nextGuess_ < guesses_.size()) noteArrays(blocks);
    while (nextGuess_ < guesses_.size()) {
        ImageBlock& block = blocks[guesses_[nextGuess_++]];
        if (block.type->isFlat || isAtEnd(block)) continue;
        block.isPostponed = false;
        index = guesses_[nextGuess_ - 1];
        return true;
    }
    return false;
}

std::vector<ArrayEnds::Suspect> ArrayEnds::suspectsIn(const std::vector<ImageBlock>& blocks) const {
    std::vector<Suspect> suspects;
    for (const std::uint32_t index : guesses_) {
        const ImageBlock& block = blocks[index];
        // A postponed guess was at an end when its turn came. Since then, another pointer may have led to the object.
        if (isAtEnd(block) || block.isPostponed) suspects.push_back({hostAddress(block.host), index, !block.isGuess});
    }
    std::sort(suspects.begin(), suspects.end(), [](const Suspect& left, const Suspect& right) { return left.address < right.address; });
    return suspects;
}

std::vector<std::uint32_t> ArrayEnds::settle(std::vector<ImageBlock>& blocks) {
    std::vector<std::uint32_t> objects;
    noteArrays(blocks);
    if (ends_.empty()) return objects;
    std::vector<Suspect> suspects = suspectsIn(blocks);
    if (suspects.empty()) return objects;
    for (const Suspect& suspect : suspects) blocks[suspect.index].isEnd = !suspect.isObject;
    for (const ImageBlock& block : blocks) {
        if (block.isEnd) continue;
        const std::uintptr_t begin = hostAddress(block.host);
        const std::uintptr_t end = begin + block.bytes();
        auto suspect = std::lower_bound(suspects.begin(), suspects.end(), begin,
                                        [](const Suspect& each, std::uintptr_t address) { return each.address < address; });
        for (; suspect != suspects.end() && suspect->address < end; ++suspect)
            suspect->isObject |= end - suspect->address >= blocks[suspect->index].type->bytes;
    }
    for (const Suspect& suspect : suspects) {
        ImageBlock& block = blocks[suspect.index];
        if (!suspect.isObject) continue;
        block.isEnd = false;
        if (!block.isPostponed) continue;
        block.isPostponed = false;
        objects.push_back(suspect.index);
    }
    for (const Suspect& suspect : suspects) {
        ImageBlock& block = blocks[suspect.index];
        if (!block.isEnd) continue;
        if (!objects.empty()) {    // more blocks will follow
            block.isEnd = false;
            continue;
        }
        if (!block.type->isFlat && !block.isPostponed) failLateArray(block);
        const std::uint32_t array = ends_.find({block.host, 0, block.type->type})->second;
        block.offset = array - 1;
        block.isAbsorbed = array != 0;
        block.isSkipped = true;
        block.hasEnd = array == 0;
        found_.push_back(suspect.index);
    }
    return objects;
}

}    // namespace ferry::detail
