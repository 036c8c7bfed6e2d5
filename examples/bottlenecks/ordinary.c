#include "ordinary.h"

#include "bottlenecks.h"
#include "work.h"

static own void interpolate(int units) { WORK(units, 0.1); }
static own void differentiate(int units) { WORK(units, 0.2); }
static own void limit(int units) { WORK(units, 0.3); }
static own void project(int units) { WORK(units, 0.4); }
static own void scatter(int units) { WORK(units, 0.5); }
static own void smooth(int units) { WORK(units, 0.6); }
static own void correct(int units) { WORK(units, 0.7); }
static own void advance_particles(int units) { WORK(units, 0.8); }

own void ordinary(int units) {
    const int part = units / 8;
    interpolate(part);
    differentiate(part);
    limit(part);
    project(part);
    scatter(part);
    smooth(part);
    correct(part);
    advance_particles(part);
}

/* The control: all ranks compute, and all compute the same. */
void none(const team *t) {
    (void)t;
    ordinary(304);
}
