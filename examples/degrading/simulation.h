#pragma once
#include "contacts.h"
#include "options.h"
#include "plate.h"

class Recorder;
class Team;

class Simulation {
public:
    Simulation(const Options& options, const Team& team);

    /// One time step: the phase. Iterations count from 1.
    void advance(int iteration, Recorder& recorder);
    double warmest() const { return warmest_; }
    double force() const { return force_; }
    std::size_t contacts() const { return contacts_.count(); }

private:
    const Options& options_;
    const Team& team_;
    bool inZone_;  ///< whether contacts come into being here
    std::size_t newContacts_;
    Plate plate_;
    Contacts contacts_;
    double warmest_ = 0;
    double force_ = 0;
};
