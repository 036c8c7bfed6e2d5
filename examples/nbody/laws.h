// Forces between two bodies, and their sum over all others as a template: each law is an instance of its own.
#pragma once
#include "bodies.h"

struct Gravity {
    double softening;
    double scale(double distance2) const { return 1 / (distance2 * std::sqrt(distance2)); }
    Vec between(const Vec& to, double mass) const { return to * (mass * scale(dot(to, to) + softening)); }
    double potential(double distance2) const { return -1 / std::sqrt(distance2 + softening); }
};

struct Spring {
    double stiffness;
    Vec between(const Vec& to, double mass) const { return to * (mass * stiffness); }
    double potential(double distance2) const { return 0.5 * stiffness * distance2; }
};

template <typename Law>
Vec pull(const Law& law, const Bodies& bodies, std::size_t on) {
    Vec sum;
    const Vec& here = bodies.position(on);
    for (std::size_t i = 0; i < bodies.count(); ++i) sum += law.between(bodies.position(i) - here, bodies.mass(i));
    return sum;
}

template <typename Law>
double potential(const Law& law, const Bodies& bodies, std::size_t on) {
    double sum = 0;
    for (std::size_t i = 0; i < on; ++i) {
        const Vec to = bodies.position(i) - bodies.position(on);
        sum += bodies.mass(i) * bodies.mass(on) * law.potential(dot(to, to));
    }
    return sum;
}
