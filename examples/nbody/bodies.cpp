#include "bodies.h"

#include <stdexcept>
#include <string>

namespace {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}

    double uniform() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<double>(state_ >> 11) / 9007199254740992.0;
    }
    double centred() { return 2 * uniform() - 1; }

private:
    std::uint64_t state_;
};

}  // namespace

Bodies::Bodies(std::size_t count, std::uint64_t seed) : mass_(count), position_(count), velocity_(count) {
    Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
        mass_[i] = 1.0 / static_cast<double>(count);
        position_[i] = {random.centred(), random.centred(), random.centred()};
        velocity_[i] = Vec{random.centred(), random.centred(), random.centred()} * 0.2;
    }
}

const Vec& Bodies::checkedPosition(std::size_t i) const {
    if (i >= count()) throw std::out_of_range("there is no body " + std::to_string(i));
    return position_[i];
}
