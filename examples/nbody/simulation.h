#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bodies.h"
#include "laws.h"

/// How a time step is made; chosen at run time, so that the calls are virtual.
class Integrator {
public:
    virtual ~Integrator() = default;
    virtual void advance(Bodies& bodies, double time) = 0;
};

std::unique_ptr<Integrator> makeIntegrator(const std::string& name);

class Simulation {
public:
    Simulation(Bodies bodies, std::unique_ptr<Integrator> integrator, double timeStep);

    void step();
    double energy() const;
    Vec momentum() const;
    const Bodies& bodies() const { return bodies_; }

private:
    void check() const;

    Bodies bodies_;
    std::unique_ptr<Integrator> integrator_;
    double timeStep_;
    long steps_ = 0;
};
