#pragma once

/// The tags of these fields get the same names as those of a::b in the other file.
class a_b {
public:
    a_b(int first, int second) : first_(first), second_(second) {}

private:
    int first_;
    int second_;
};
