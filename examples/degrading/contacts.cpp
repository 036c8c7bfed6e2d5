#include "contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "recorder.h"

namespace {

constexpr int stepsOfAContact = 3;
constexpr int newtonSteps = 6;

}  // namespace

Contacts::Contacts(std::size_t atFirst) {
    add(atFirst, 0);
    for (Contact& contact : contacts_) contact.until = std::numeric_limits<int>::max();
}

void Contacts::add(std::size_t count, int step) {
    for (std::size_t i = 0; i < count; ++i) {
        const double gap = 1e-3 * static_cast<double>(1 + (contacts_.size() * 7919) % 1000);
        contacts_.push_back({gap, 1.0 + gap, step + stepsOfAContact});
    }
}

void Contacts::release(int step) {
    const auto over = [step](const Contact& contact) { return contact.until < step; };
    contacts_.erase(std::remove_if(contacts_.begin(), contacts_.end(), over), contacts_.end());
}

/// For each contact the penetration at which a spring that hardens is in balance, by Newton's method.
double Contacts::search(int step, Recorder& recorder) const {
    const Recorder::Scope scope(recorder, Region::search);
    double sum = 0;
    for (const Contact& contact : contacts_) {
        double penetration = 0.5;
        for (int i = 0; i < newtonSteps; ++i) {
            const double square = penetration * penetration;
            penetration -= ((contact.stiffness + square) * penetration - contact.gap) / (contact.stiffness + 3 * square);
        }
        if (contact.until >= step) sum += penetration;
    }
    recorder.work(13e-9, static_cast<double>(contacts_.size()));
    return sum;
}
