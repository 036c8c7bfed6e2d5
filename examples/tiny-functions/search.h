#pragma once
#include <limits>
#include <memory>
#include <vector>

#include "grid.h"
#include "queue.h"

namespace search {

/// What a search believes of the way still to go: the virtual call in the innermost loop.
class Heuristic {
public:
    virtual ~Heuristic() = default;
    virtual float estimate(grid::Cell from, grid::Cell to) const = 0;
};

std::unique_ptr<Heuristic> makeHeuristic(const char* name);

class Search {
public:
    Search(const grid::Grid& grid, const Heuristic& heuristic);

    /// Length of the cheapest way, or infinity. Uses A*.
    float run(grid::Cell from, grid::Cell to);
    long expanded() const { return expanded_; }

private:
    void reset();
    void relax(grid::Cell cell, float distance, grid::Cell goal);
    void expand(grid::Cell cell, grid::Cell goal);
    float distance(grid::Cell c) const { return distance_[grid_.index(c)]; }
    bool closed(grid::Cell c) const { return closed_[grid_.index(c)] != 0; }
    void close(grid::Cell c) { closed_[grid_.index(c)] = 1; }

    const grid::Grid& grid_;
    const Heuristic& heuristic_;
    Queue<float, int> open_;
    std::vector<float> distance_;
    std::vector<char> closed_;
    long expanded_ = 0;
};

}  // namespace search
