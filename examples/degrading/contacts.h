#pragma once
#include <cstddef>
#include <vector>

class Recorder;

/// Places where bodies touch the plate. Each is looked at in each step, also when it has been over for long: what makes this
/// program slower and slower (`--release` mends it).
class Contacts {
public:
    explicit Contacts(std::size_t atFirst);

    /// New ones; each lasts for a few steps.
    void add(std::size_t count, int step);
    void release(int step);
    /// Sum of the forces.
    double search(int step, Recorder& recorder) const;
    std::size_t count() const { return contacts_.size(); }

private:
    struct Contact {
        double gap;
        double stiffness;
        int until;
    };

    std::vector<Contact> contacts_;
};
