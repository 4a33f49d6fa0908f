#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <ferry/examples/results/Results.hpp>

// The search itself, from the same library as Results.

namespace homology {

/// Finds the best local alignments of a query with stretches of other sequences (Smith and Waterman).
class Search {
public:
    static constexpr std::size_t StretchLetters = 80;

    /// Searches the sequences [first, last) of the database. Alignments with a lower score than the limit are left out.
    static Results run(const Sequence& query, const Database& database, std::size_t first, std::size_t last, int minScore) {
        Results results(query, database);
        for (std::size_t i = first; i < std::min(last, database.size()); ++i) {
            const std::string& letters = database[i].letters();
            Hit hit(database[i].name(), letters.size());
            for (std::size_t begin = 0; begin < letters.size(); begin += StretchLetters) {
                const Segment segment = align(query.letters(), letters.substr(begin, StretchLetters), begin);
                if (segment.score() >= minScore) hit.add(segment);
            }
            if (!hit.segments().empty()) results.add(std::move(hit));
            results.countSearched(letters.size());
        }
        results.sort();
        return results;
    }

private:
    static constexpr int Match = 3, Mismatch = -2, Gap = -4;

    static Segment align(const std::string& query, const std::string& subject, std::size_t subjectBegin) {
        const std::size_t width = subject.size() + 1;
        std::vector<int> scores((query.size() + 1) * width, 0);
        std::size_t best = 0;
        for (std::size_t i = 1; i <= query.size(); ++i) {
            for (std::size_t j = 1; j < width; ++j) {
                const std::size_t here = i * width + j;
                const int diagonal = scores[here - width - 1] + (query[i - 1] == subject[j - 1] ? Match : Mismatch);
                scores[here] = std::max({0, diagonal, scores[here - width] + Gap, scores[here - 1] + Gap});
                if (scores[here] > scores[best]) best = here;
            }
        }
        return trace(query, subject, subjectBegin, scores, best);
    }

    /// Goes back from the end of an alignment to its begin.
    static Segment trace(const std::string& query, const std::string& subject, std::size_t subjectBegin, const std::vector<int>& scores,
                         std::size_t end) {
        const std::size_t width = subject.size() + 1;
        std::size_t i = end / width, j = end % width;
        Segment segment(scores[end], i, subjectBegin + j);
        while (scores[i * width + j] > 0) {
            const int score = scores[i * width + j];
            if (score == scores[(i - 1) * width + j - 1] + (query[i - 1] == subject[j - 1] ? Match : Mismatch)) {
                --i, --j;
                segment.prepend(query[i], subject[j]);
            } else if (score == scores[(i - 1) * width + j] + Gap) {
                segment.prepend(query[--i], '-');
            } else {
                segment.prepend('-', subject[--j]);
            }
        }
        segment.complete(i, subjectBegin + j, static_cast<double>(query.size() * subject.size()) * std::exp(-0.5 * scores[end]));
        return segment;
    }
};

}    // namespace homology
