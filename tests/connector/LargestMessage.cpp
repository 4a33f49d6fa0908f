// Sends a message of more than 2^31 bytes from rank 0 to rank 1.
// In the first round the receiver waits, in the second one the receiver comes after the sender has copied the message.
// Then broadcasts 2^31 + 1 bytes. Needs three times the memory of the message.
//     mpirun -np 2 ferryLargestMessage 3
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <ferry/ferry.hpp>

namespace {

/// Returns a message in which each GiB begins and ends with its own letters.
std::vector<char> messageOf(std::size_t gib) {
    constexpr std::size_t bytes = std::size_t{1} << 30;
    std::vector<char> message(gib * bytes + 1, 'z');
    for (std::size_t i = 0; i < gib; ++i) {
        message[i * bytes] = static_cast<char>('a' + i);
        message[(i + 1) * bytes - 1] = static_cast<char>('A' + i);
    }
    return message;
}

/// Sends the message between the first two ranks, in both ways.
void sendLarge(ferry::Connector& connector, std::size_t gib) {
    if (connector.rank() > 1) return;
    const std::vector<char> message = messageOf(gib);
    for (const bool isWaiting : {true, false}) {
        if (connector.rank() == 0) {
            if (isWaiting) connector.receive<bool>(1);    // the receive follows at once
            connector.send(1, message);
            if (!isWaiting) connector.send(1, true);
        } else {
            if (isWaiting) connector.send(0, true);
            if (!isWaiting) connector.receive<bool>(0);    // the message is in the background now
            std::vector<char> received;
            connector.receiveInto(0, received);
            xassert(received == message);
            std::printf("%zu bytes arrived\n", received.size());
        }
    }
}

void broadcastLarge(ferry::Connector& connector) {
    constexpr std::size_t gib = 2;
    const std::vector<char> received = connector.broadcast(connector.isMaster() ? messageOf(gib) : std::vector<char>(), 0);
    xassert(received == messageOf(gib));
    std::printf("%zu bytes arrived by broadcast\n", received.size());
}

}    // namespace

int main(int argc, char** argv) {
    const std::size_t gib = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 3;
    ferry::Application app(argc, argv, ferry::ThreadRanks{2});
    return app.runOnAll([gib](ferry::Connector& connector) {
        sendLarge(connector, gib);
        broadcastLarge(connector);
    });
}
