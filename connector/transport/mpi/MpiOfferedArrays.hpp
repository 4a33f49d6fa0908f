#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <ferry/connector/transport/Announcement.hpp>
#include <ferry/connector/transport/OfferedArrays.hpp>
#include <ferry/connector/transport/mpi/calls/MpiLarge.hpp>

namespace ferry::detail {

/// The receiver's end of an offer. The arrays come in their order, each into the memory that is named for it.
class MpiOfferedArrays final : public OfferedArrays {
public:
    /// ask: asks the sender and waits for the answer. ints: the ints of the packet, which stay in place when the buffer is moved.
    MpiOfferedArrays(const MpiRoads& roads, int from, std::int32_t transfer, std::vector<Announcement::Array> arrays,
                     const std::int32_t* ints, std::function<bool()> ask)
        : roads_(roads),
          from_(from),
          transfer_(transfer),
          arrays_(std::move(arrays)),
          ints_(ints),
          ask_(std::move(ask)) {}
    ~MpiOfferedArrays() override;

    bool open() override { return isOpen_ = ask_(); }
    bool areAllFetched() const noexcept override { return next_ == arrays_.size(); }

    bool isAt(const std::int32_t* place) const noexcept override;
    std::size_t intCountAt(const std::int32_t* place) const override;
    void fetch(const std::int32_t* place, std::byte* target) override;
    void fetch(const std::int32_t* place, std::byte* firstElement, const BlockLayout& blocks) override;

private:
    std::size_t find(const std::int32_t* place) const;
    void dropUpTo(const std::int32_t* place);
    void receiveNext(std::byte* target);
    void receive(std::byte* target, int count, MPI_Datatype type, int byteCount);
    void dropNext();

    const MpiRoads& roads_;
    int from_;
    std::int32_t transfer_;
    std::vector<Announcement::Array> arrays_;
    const std::int32_t* ints_;
    std::function<bool()> ask_;
    bool isOpen_ = false;
    std::size_t next_ = 0;    ///< the first array that has not come
};

}    // namespace ferry::detail
