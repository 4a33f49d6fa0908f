// Sorts all suffixes of a text. Each rank has a block of the text.
//     mpirun -np 4 build/release/bin/suffixArray
//     build/release/bin/suffixArray                   the ranks are threads
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <ferry/ferry.hpp>

#include <ferry/examples/verbs/suffixArray.hpp>
#include <ferry/examples/verbs/suffixArrayHere.hpp>

namespace {

constexpr long textLength = 20'000;

/// Returns random letters with one repeated part, so that some suffixes differ only after many characters.
std::string textOfAll() {
    std::minstd_rand random(5);
    std::string text;
    for (long i = 0; i < textLength; ++i) text += i % 1000 > 700 ? text[i - 700] : static_cast<char>('a' + random() % 4);
    return text;
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application application(argc, argv, ferry::ThreadRanks{4});
    return application.runOnAll([](ferry::Connector& c) {
        const std::string text = textOfAll();
        const verbs::Blocks blocks(textLength, c.size());
        const std::string own = text.substr(blocks.begin(c.rank()), blocks.end(c.rank()) - blocks.begin(c.rank()));
        const std::vector<long> positions = c.gather(verbs::suffixArray(c, blocks, own));
        const bool isRight = c.broadcast(c.isMaster() && positions == verbs::suffixArrayHere(text));
        if (c.isMaster()) std::printf("%zu suffixes are %s\n", positions.size(), isRight ? "sorted" : "not sorted");
        return isRight ? 0 : 1;
    });
}
