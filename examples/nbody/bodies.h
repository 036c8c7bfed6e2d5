#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vec.h"

class Bodies {
public:
    Bodies(std::size_t count, std::uint64_t seed);

    std::size_t count() const { return mass_.size(); }
    double mass(std::size_t i) const { return mass_[i]; }
    const Vec& position(std::size_t i) const { return position_[i]; }
    const Vec& velocity(std::size_t i) const { return velocity_[i]; }
    void kick(std::size_t i, const Vec& by) { velocity_[i] += by; }
    void drift(std::size_t i, double time) { position_[i] += velocity_[i] * time; }

    /// Throws std::out_of_range; used for what the user asks to follow.
    const Vec& checkedPosition(std::size_t i) const;

private:
    std::vector<double> mass_;
    std::vector<Vec> position_;
    std::vector<Vec> velocity_;
};
