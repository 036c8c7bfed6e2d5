#include "simulation.h"

#include <stdexcept>
#include <utility>

namespace {

const Gravity gravity{1e-4};
const Spring spring{0.01};

std::vector<Vec> forces(const Bodies& bodies) {
    std::vector<Vec> result(bodies.count());
    for (std::size_t i = 0; i < bodies.count(); ++i) result[i] = pull(gravity, bodies, i);
    for (std::size_t i = 0; i < bodies.count(); ++i) result[i] += pull(spring, bodies, i);
    return result;
}

void kickAll(Bodies& bodies, const std::vector<Vec>& forces, double time) {
    for (std::size_t i = 0; i < bodies.count(); ++i) bodies.kick(i, forces[i] * time);
}

void driftAll(Bodies& bodies, double time) {
    for (std::size_t i = 0; i < bodies.count(); ++i) bodies.drift(i, time);
}

class Euler final : public Integrator {
public:
    void advance(Bodies& bodies, double time) override {
        kickAll(bodies, forces(bodies), time);
        driftAll(bodies, time);
    }
};

class Leapfrog final : public Integrator {
public:
    void advance(Bodies& bodies, double time) override {
        driftAll(bodies, time / 2);
        kickAll(bodies, forces(bodies), time);
        driftAll(bodies, time / 2);
    }
};

}  // namespace

std::unique_ptr<Integrator> makeIntegrator(const std::string& name) {
    if (name == "euler") return std::make_unique<Euler>();
    if (name == "leapfrog") return std::make_unique<Leapfrog>();
    throw std::invalid_argument("unknown integrator: " + name);
}

Simulation::Simulation(Bodies bodies, std::unique_ptr<Integrator> integrator, double timeStep)
    : bodies_(std::move(bodies)), integrator_(std::move(integrator)), timeStep_(timeStep) {}

void Simulation::step() {
    integrator_->advance(bodies_, timeStep_);
    if (++steps_ % 8 == 0) check();
}

void Simulation::check() const {
    for (std::size_t i = 0; i < bodies_.count(); ++i)
        if (!finite(bodies_.position(i))) throw std::runtime_error("a body flew away; use a smaller time step");
}

double Simulation::energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < bodies_.count(); ++i) {
        sum += 0.5 * bodies_.mass(i) * dot(bodies_.velocity(i), bodies_.velocity(i));
        sum += potential(gravity, bodies_, i) + potential(spring, bodies_, i);
    }
    return sum;
}

Vec Simulation::momentum() const {
    Vec sum;
    for (std::size_t i = 0; i < bodies_.count(); ++i) sum += bodies_.velocity(i) * bodies_.mass(i);
    return sum;
}
