#include "search.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace search {

namespace {

class Manhattan final : public Heuristic {
public:
    float estimate(grid::Cell a, grid::Cell b) const override {
        return static_cast<float>(std::abs(a.x - b.x) + std::abs(a.y - b.y));
    }
};

class Euclidean final : public Heuristic {
public:
    float estimate(grid::Cell a, grid::Cell b) const override {
        const float dx = static_cast<float>(a.x - b.x);
        const float dy = static_cast<float>(a.y - b.y);
        return std::sqrt(dx * dx + dy * dy);
    }
};

}  // namespace

std::unique_ptr<Heuristic> makeHeuristic(const char* name) {
    if (std::strcmp(name, "manhattan") == 0) return std::make_unique<Manhattan>();
    if (std::strcmp(name, "euclidean") == 0) return std::make_unique<Euclidean>();
    throw std::invalid_argument(std::string("unknown heuristic: ") + name);
}

Search::Search(const grid::Grid& grid, const Heuristic& heuristic)
    : grid_(grid),
      heuristic_(heuristic),
      distance_(static_cast<std::size_t>(grid.width()) * grid.height()),
      closed_(distance_.size()) {}

void Search::reset() {
    open_.clear();
    for (float& d : distance_) d = std::numeric_limits<float>::infinity();
    for (char& c : closed_) c = 0;
}

void Search::relax(grid::Cell cell, float distance, grid::Cell goal) {
    if (!grid_.contains(cell) || closed(cell) || distance >= this->distance(cell)) return;
    distance_[grid_.index(cell)] = distance;
    open_.push(distance + heuristic_.estimate(cell, goal), grid_.index(cell));
}

void Search::expand(grid::Cell cell, grid::Cell goal) {
    static const int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const float here = distance(cell);
    for (const auto& step : steps) {
        const grid::Cell next{cell.x + step[0], cell.y + step[1]};
        if (grid_.contains(next)) relax(next, here + grid_.cost(next), goal);
    }
    ++expanded_;
}

float Search::run(grid::Cell from, grid::Cell to) {
    reset();
    relax(from, 0.0f, to);
    while (!open_.empty()) {
        const int index = open_.pop().value;
        const grid::Cell cell{index % grid_.width(), index / grid_.width()};
        if (closed(cell)) continue;
        close(cell);
        if (cell == to) return distance(cell);
        expand(cell, to);
    }
    return std::numeric_limits<float>::infinity();
}

}  // namespace search
