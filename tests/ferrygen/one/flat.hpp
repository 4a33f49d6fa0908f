#pragma once

/// The tags of its fields get the names that those of a::b get in the other file.
class a_b {
public:
    a_b(int first, int second) : first_(first), second_(second) {}

private:
    int first_;
    int second_;
};
