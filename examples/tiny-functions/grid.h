// A weighted grid; every access goes through a small member function, as C++ programs do.
#pragma once
#include <cstdint>
#include <vector>

namespace grid {

struct Cell {
    int x;
    int y;
};

inline bool operator==(Cell a, Cell b) { return a.x == b.x && a.y == b.y; }

class Grid {
public:
    Grid(int width, int height, std::uint64_t seed);

    int width() const { return width_; }
    int height() const { return height_; }
    bool contains(Cell c) const { return c.x >= 0 && c.y >= 0 && c.x < width_ && c.y < height_; }
    int index(Cell c) const { return c.y * width_ + c.x; }
    float cost(Cell c) const { return cost_[index(c)]; }
    void scale(Cell c, float by) { cost_[index(c)] *= by; }

    /// Makes neighbouring costs alike: `rounds` passes of a five-point mean.
    void smooth(int rounds);
    double total() const;

private:
    int width_;
    int height_;
    std::vector<float> cost_;
    std::vector<float> next_;
};

}  // namespace grid
