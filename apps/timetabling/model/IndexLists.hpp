#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace timetabling {

/// A list of indices for each row, in one block of memory. The lists cannot change.
class IndexLists {
public:
    IndexLists() = default;
    explicit IndexLists(const std::vector<std::vector<int>>& rows) {
        starts_.reserve(rows.size() + 1);
        for (const std::vector<int>& row : rows) {
            starts_.push_back(values_.size());
            values_.insert(values_.end(), row.begin(), row.end());
        }
        starts_.push_back(values_.size());
    }

    std::span<const int> operator[](int row) const {
        const std::size_t start = starts_[static_cast<std::size_t>(row)];
        return {values_.data() + start, starts_[static_cast<std::size_t>(row) + 1] - start};
    }

private:
    std::vector<std::size_t> starts_;
    std::vector<int> values_;
};

}    // namespace timetabling
