// Vectors as C++ programs write them: every operation is a function of its own, called hundreds of millions of times.
#pragma once
#include <cmath>

struct Vec {
    double x = 0;
    double y = 0;
    double z = 0;

    Vec& operator+=(const Vec& o) {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
};

inline Vec operator+(const Vec& a, const Vec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(const Vec& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline bool finite(const Vec& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }
