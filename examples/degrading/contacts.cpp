#include "contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "recorder.h"

namespace {

constexpr int stepsOfAContact = 3;

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

/// The penetration at which a spring that hardens is in balance, by Newton's method.
double Contacts::force(const Contact& contact, double penetration) {
    double x = penetration;
    for (int i = 0; i < 6; ++i) {
        const double residual = contact.stiffness * x + x * x * x - contact.gap;
        x -= residual / (contact.stiffness + 3 * x * x);
    }
    return x;
}

double Contacts::search(int step, Recorder& recorder) const {
    const Recorder::Scope scope(recorder, Region::search);
    double sum = 0;
    for (const Contact& contact : contacts_) {
        const double balance = force(contact, 0.5);
        if (contact.until >= step) sum += balance;
    }
    recorder.work(13e-9, static_cast<double>(contacts_.size()));
    return sum;
}
