// Sorts all suffixes of texts of several kinds by a difference cover. Each rank has a block of each text.
//     mpirun -np 4 build/release/bin/differenceCover
//     build/release/bin/differenceCover               the ranks are threads
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <ferry/ferry.hpp>

#include <ferry/examples/verbs/differenceCover.hpp>
#include <ferry/examples/verbs/suffixArrayHere.hpp>

namespace {

/// Returns texts whose suffixes differ early, late, or in their lengths alone; some have fewer letters than there are ranks.
std::vector<std::string> textsOfAll() {
    std::minstd_rand random(5);
    std::vector<std::string> texts{"", "a", "ba", "abab", "mississippi", std::string(500, 'z')};
    for (const unsigned letters : {2U, 4U, 256U}) {
        std::string text;
        for (int i = 0; i < 3000; ++i) text += static_cast<char>(random() % letters);
        texts.push_back(text);
    }
    std::string periodic;
    for (int i = 0; i < 2000; ++i) periodic += i % 300 > 200 ? periodic[i - 200] : static_cast<char>('a' + i % 7);
    texts.push_back(periodic);
    for (std::size_t length = 0; length < 20; ++length) texts.push_back(periodic.substr(0, length));
    return texts;
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application application(argc, argv, ferry::ThreadRanks{4});
    return application.runOnAll([](ferry::Connector& c) {
        const std::vector<std::string> texts = textsOfAll();
        std::size_t rightCount = 0;
        for (const std::string& text : texts) {
            const verbs::Blocks blocks(static_cast<long>(text.size()), c.size());
            const std::string own = text.substr(blocks.begin(c.rank()), blocks.end(c.rank()) - blocks.begin(c.rank()));
            const std::vector<long> positions = c.gather(verbs::suffixArrayByCover(c, blocks, own));
            rightCount += c.broadcast(c.isMaster() && positions == verbs::suffixArrayHere(text)) ? 1 : 0;
        }
        if (c.isMaster()) std::printf("%zu texts of %zu have their suffixes sorted\n", rightCount, texts.size());
        return rightCount == texts.size() ? 0 : 1;
    });
}
