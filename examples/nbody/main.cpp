// Bodies that attract one another: nbody [--bodies N] [--steps N] [--integrator euler|leapfrog] [--follow BODY]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

#include "simulation.h"

namespace {

struct Options {
    std::size_t bodies = 1000;
    int steps = 100;
    std::string integrator = "leapfrog";
    std::size_t follow = 0;
};

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        if (name == "--bodies")
            options.bodies = static_cast<std::size_t>(std::strtoul(argv[i + 1], nullptr, 10));
        else if (name == "--steps")
            options.steps = std::atoi(argv[i + 1]);
        else if (name == "--integrator")
            options.integrator = argv[i + 1];
        else if (name == "--follow")
            options.follow = static_cast<std::size_t>(std::strtoul(argv[i + 1], nullptr, 10));
        else
            throw std::invalid_argument("unknown option: " + name);
    }
    if (options.bodies < 2 || options.steps < 1) throw std::invalid_argument("at least two bodies and one step");
    return options;
}

/// The height of the body that is followed, or of the last one: an exception passes measured functions on its way.
double followed(const Bodies& bodies, std::size_t body) {
    try {
        return bodies.checkedPosition(body).z;
    } catch (const std::out_of_range&) {
        return bodies.checkedPosition(bodies.count() - 1).z;
    }
}

void run(const Options& options) {
    Simulation simulation(Bodies(options.bodies, 42), makeIntegrator(options.integrator), 1e-3);
    const double before = simulation.energy();
    double height = 0;
    for (int step = 0; step < options.steps; ++step) {
        simulation.step();
        height += followed(simulation.bodies(), options.follow);
    }
    const double after = simulation.energy();
    const Vec momentum = simulation.momentum();
    std::printf("energy %.9f (drift %.2e), momentum %.9f, mean height %.6f\n", after, (after - before) / before,
                std::sqrt(dot(momentum, momentum)), height / options.steps);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(parse(argc, argv));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "nbody: %s\n", error.what());
        return 2;
    }
}
