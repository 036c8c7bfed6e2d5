// A C++ program whose call stacks are known: templates, virtual functions, lambdas, and an exception's handler. It computes until standard input ends.
#include "probes.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <vector>

static volatile bool over;

namespace work {
struct Shape {
  virtual ~Shape() = default;
  virtual double area(double scale) const = 0;
};
template <class Number> struct Square : Shape {
  Number side;
  explicit Square(Number s) : side(s) {}
  __attribute__((noinline)) double area(double scale) const override {
    PROBE(1);
    double sum = 0;
    while (!over) sum += scale * double(side);
    return sum;
  }
};
__attribute__((noinline)) double measure(const std::vector<const Shape *> &shapes) {
  double sum = 0;
  std::function<void(const Shape *)> add = [&](const Shape *s) { sum += s->area(2); };
  std::for_each(shapes.begin(), shapes.end(), add);
  return sum;
}
__attribute__((noinline)) double recover(const std::vector<const Shape *> &shapes) {
  double sum = 0;
  try {
    if (!shapes.empty()) throw std::runtime_error("as expected");
  } catch (const std::exception &) {
    sum += measure(shapes);
  }
  return sum;
}
}

int main() {
  std::thread input([] {
    char byte;
    while (read(0, &byte, 1) > 0) {}
    over = true;
  });
  work::Square<long> square(3);
  double sum = work::recover({&square});
  input.join();
  return sum < 0;
}
