#include "probe.h"
#include <cstdio>
#include <vector>

namespace num {
template <class T> T sum(const std::vector<T> &values) {
  PROBE(0);
  T result = 0;
  for (auto value : values) result += value;
  return result;
}
} // namespace num

struct Shape {
  int width;
  Shape(int a);
  virtual ~Shape();
  int area() const {
    PROBE(1);
    return width * width;
  }
};

Shape::Shape(int a) : width(a) {
  PROBE(2);
  if (a < 0) throw 1;
}
Shape::~Shape() {}

static int helper(int a) {
  PROBE(3);
  int s = 0;
  for (int i = 0; i < a; i++) s += i ^ a;
  return s;
}

static int tiny(int a) { return a * 3; }

__attribute__((noinline)) int big(int a) {
  int s = 0;
  for (int i = 0; i < a; i++) s += helper(i) + tiny(a);
  return s;
}

int main(int count, char **) {
  PROBE(4);
  std::vector<int> a{1, 2, count};
  std::vector<double> b{1, 2., 1. * count};
  Shape shape(count);
  printf("%d %g %d %d\n", num::sum(a), num::sum(b), big(count), shape.area());
}
