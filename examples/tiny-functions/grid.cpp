#include "grid.h"

namespace grid {

namespace {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}
    std::uint64_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return state_;
    }
    float uniform() { return static_cast<float>(next() >> 40) / 16777216.0f; }

private:
    std::uint64_t state_;
};

}  // namespace

Grid::Grid(int width, int height, std::uint64_t seed)
    : width_(width), height_(height), cost_(static_cast<std::size_t>(width) * height), next_(cost_.size()) {
    Random random(seed);
    for (float& c : cost_) c = 1.0f + 9.0f * random.uniform();
}

void Grid::smooth(int rounds) {
    for (int round = 0; round < rounds; ++round) {
        for (int y = 1; y + 1 < height_; ++y) {
            for (int x = 1; x + 1 < width_; ++x) {
                const int i = y * width_ + x;
                next_[i] = 0.2f * (cost_[i] + cost_[i - 1] + cost_[i + 1] + cost_[i - width_] + cost_[i + width_]);
            }
        }
        for (int y = 1; y + 1 < height_; ++y)
            for (int x = 1; x + 1 < width_; ++x) cost_[y * width_ + x] = next_[y * width_ + x];
    }
}

double Grid::total() const {
    double sum = 0;
    for (float c : cost_) sum += c;
    return sum;
}

}  // namespace grid
