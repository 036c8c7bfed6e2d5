// Names of many kinds; each function runs once, so that its region is in the profile.
#include "shapes.h"

typedef double Real_t;

namespace geo {
Box::Box(int size) : size_(size) {}
Box::~Box() {}
int Box::grow(int by) const { return size_ + by; }
Real_t area(const Real_t *a, const Real_t *b) { return *a * *b; }
namespace {
int hidden(unsigned long n) { return static_cast<int>(n); }
} // namespace
} // namespace geo

int operator+(const geo::Box &a, const geo::Box &b) { return a.grow(1) + b.grow(2); }
static int local_only(char c) { return c; }
inline int declared_inline(int x) { return x + 1; }
template <typename T> T twice(T x) { return x + x; }
template <typename T> inline T thrice(T x) { return x + x + x; }
struct Functor {
  int operator()(int x) const { return x; }
};
int include(int x) { return x; }
int Caf\u00e9(int x) { return x; }
extern "C" int plain_c(int);
extern "C" int sub_c(int);
extern "C" void fortran_part_();
extern "C" int with$dollar(int x) { return x; }

int main() {
  Real_t a = 2, b = 3;
  geo::Box x(1), y(2);
  Functor f;
  int sum = (x + y) + local_only('c') + declared_inline(1) + twice(2) + static_cast<int>(twice(1.5)) + thrice(3) + f(4);
  sum += static_cast<int>(geo::area(&a, &b)) + geo::hidden(3) + include(1) + plain_c(1) + sub_c(2) + with$dollar(3) + Caf\u00e9(1);
  sum += geo::in_header(2);
  fortran_part_();
  return sum == 12345;
}
