#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

// The results of a search for similar sequences.
// These classes stand for classes of another library: they know nothing of Ferry, and their members are private.

namespace homology {

class Sequence {
public:
    Sequence() = default;
    Sequence(std::string name, std::string letters) : name_(std::move(name)), letters_(std::move(letters)) {}
    const std::string& name() const { return name_; }
    const std::string& letters() const { return letters_; }
    bool operator==(const Sequence&) const = default;

private:
    std::string name_, letters_;
};

using Database = std::vector<Sequence>;

/// Two stretches that resemble each other, aligned letter by letter, with gaps.
class Segment {
public:
    Segment() = default;
    /// The alignment ends before these letters of the query and of the subject.
    Segment(int score, std::size_t queryEnd, std::size_t subjectEnd)
        : score_(score),
          queryEnd_(static_cast<int>(queryEnd)),
          subjectEnd_(static_cast<int>(subjectEnd)) {}

    int score() const { return score_; }
    double expectation() const { return expectation_; }
    const std::string& queryLine() const { return queryLine_; }
    bool operator==(const Segment&) const = default;

    /// Adds a pair of letters in front of the existing pairs; a gap is '-'.
    void prepend(char query, char subject) {
        queryLine_.push_back(query);
        subjectLine_.push_back(subject);
        middleLine_.push_back(query == subject ? '|' : ' ');
        identities_ = static_cast<short>(identities_ + (query == subject ? 1 : 0));
        gaps_ = static_cast<short>(gaps_ + (query == '-' || subject == '-' ? 1 : 0));
    }
    /// Call this when all pairs have been added.
    void complete(std::size_t queryBegin, std::size_t subjectBegin, double expectation) {
        queryBegin_ = static_cast<int>(queryBegin);
        subjectBegin_ = static_cast<int>(subjectBegin);
        expectation_ = expectation;
        for (std::string* line : {&queryLine_, &middleLine_, &subjectLine_}) std::reverse(line->begin(), line->end());
    }

private:
    int score_ = 0;
    double expectation_ = 0;                   ///< expected number of equally good segments by chance
    int queryBegin_ = 0, queryEnd_ = 0;        ///< [begin, end) in the query
    int subjectBegin_ = 0, subjectEnd_ = 0;    ///< [begin, end) in the sequence that was found
    short identities_ = 0, gaps_ = 0;
    std::string queryLine_, middleLine_, subjectLine_;
};

/// A sequence of the database, and where it resembles the query.
class Hit {
public:
    Hit() = default;
    Hit(std::string accession, std::size_t letters) : accession_(std::move(accession)), letters_(static_cast<long>(letters)) {}
    const std::string& accession() const { return accession_; }
    const std::vector<Segment>& segments() const { return segments_; }
    void add(Segment segment) {
        segments_.push_back(std::move(segment));
        best_ = -1;
    }
    int best() const {
        for (const Segment& segment : segments_) best_ = std::max(best_, segment.score());
        return best_;
    }
    bool operator==(const Hit& other) const {
        return accession_ == other.accession_ && letters_ == other.letters_ && segments_ == other.segments_;
    }

private:
    std::string accession_;
    long letters_ = 0;
    std::vector<Segment> segments_;
    mutable int best_ = -1;    ///< computed at the first request
};

/// The hits of one search, the best one first.
class Results {
public:
    Results() = default;
    Results(Sequence query, const Database& database) : query_(std::move(query)), database_(&database) {}
    const Sequence& query() const { return query_; }
    const std::vector<Hit>& hits() const { return hits_; }
    void add(Hit hit) { hits_.push_back(std::move(hit)); }
    /// Takes over the hits of another search for the same query.
    void merge(Results&& other) {
        std::move(other.hits_.begin(), other.hits_.end(), std::back_inserter(hits_));
        lettersSearched_ += other.lettersSearched_;
    }
    void countSearched(std::size_t letters) { lettersSearched_ += static_cast<long>(letters); }
    long lettersSearched() const { return lettersSearched_; }
    void sort() {
        std::sort(hits_.begin(), hits_.end(),
                  [](const Hit& a, const Hit& b) { return a.best() != b.best() ? a.best() > b.best() : a.accession() < b.accession(); });
    }
    bool operator==(const Results& other) const {
        return query_ == other.query_ && hits_ == other.hits_ && lettersSearched_ == other.lettersSearched_;
    }

private:
    Sequence query_;
    const Database* database_ = nullptr;    ///< the database that was searched; not owned
    std::vector<Hit> hits_;
    long lettersSearched_ = 0;
};

}    // namespace homology
