#include <ferry/framework/parcel/TaskNotice.hpp>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

namespace ferry {

std::vector<std::int32_t> numbersIn(const Letter& letter) {
    std::vector<std::int32_t> numbers;
    IntReader in(letter.body());
    in >> numbers;
    in.expectEnd();
    return numbers;
}

void sendNotice(Mailbox& mailbox, int rank, TaskNotice notice, const std::vector<std::int32_t>& numbers, int lostRank) {
    mailbox.post(rank, Channel::Data, Envelope{MessageKind::TaskNotice, static_cast<std::int32_t>(notice), lostRank},
                 [&numbers](IntWriter& out) { out << numbers; });
}

}    // namespace ferry
