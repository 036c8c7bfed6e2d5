/** Small programs of everything that C and C++ allow and that a probe could break. */
export interface TrialProgram {
  readonly name: string;
  readonly text: string;
  readonly options?: readonly string[];
  /** At least so many sled records in the object. */
  readonly sleds?: number;
  /** Only for compilers whose name begins so. */
  readonly only?: string;
}

const strict = ['-Wall', '-Wextra', '-Werror', '-Wshadow', '-pedantic-errors'];

export const cPrograms: readonly TrialProgram[] = [
  {
    name: 'C90 declarations first',
    options: [
      '-std=c90',
      ...strict,
      '-Wdeclaration-after-statement',
      '-Wmissing-prototypes',
      '-Wstrict-prototypes',
    ],
    text: `#include <stdio.h>
static int sum(int n)
{
  int i;
  int s = 0;
  for (i = 0; i < n; i++) s += i;
  return s;
}
int main(void) { printf("%d\\n", sum(10)); return 0; }
`,
  },
  {
    name: 'goto switch and early return',
    options: ['-std=c11', ...strict],
    text: `#include <stdio.h>
int f(int n);
int f(int n) {
  switch (n) { case 0: goto out; case 1: return 7; default: break; }
  for (int i = 0; i < n; i++) { if (i == 5) return i; if (i == 3 && n == 4) goto out; }
  return -1;
out:
  return n * 2;
}
int main(void) { for (int i = 0; i < 8; i++) printf("%d ", f(i)); puts(""); return 0; }
`,
  },
  {
    name: 'setjmp and longjmp',
    text: `#include <setjmp.h>
#include <stdio.h>
static jmp_buf where;
int deep(int n) { for (int i = 0; i < n; i++) if (i == 3) longjmp(where, i); return 0; }
int main(void) { volatile int k = 0; for (;;) { int r = setjmp(where); if (r) { printf("%d %d\\n", r, k); break; } k++; deep(9); } return 0; }
`,
  },
  {
    name: 'K and R definitions',
    options: ['-std=gnu89', '-w'],
    text: `#include <stdio.h>
int add(a, b) int a; char b;
{ int i, s = 0; for (i = 0; i < a; i++) s += b; return s; }
main() { printf("%d\\n", add(3, 4)); return 0; }
`,
  },
  {
    name: 'nested functions and labels as values',
    // The grammar does not know them: no probe where the parser is not sure.
    sleds: 0,
    only: 'gcc',
    text: `#include <stdio.h>
int outer(int n) {
  int inner(int k) { int s = 0; for (int i = 0; i < k; i++) s += n; return s; }
  static const void *table[] = { &&one, &&two };
  int r = 0;
  for (int i = 0; i < 2; i++) { goto *table[i]; one: r += inner(3); continue; two: r += 100; }
  return r;
}
int main(void) { printf("%d\\n", outer(5)); return 0; }
`,
  },
  {
    name: 'computed goto VLA and statement expressions',
    sleds: 0,
    text: `#include <stdio.h>
#define MAX(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })
int f(int n) {
  int v[n + 1];
  static const void *jump[] = { &&a, &&b };
  for (int i = 0; i <= n; i++) v[i] = MAX(i, 3);
  goto *jump[n & 1];
a: return v[n];
b: return -v[n];
}
int main(void) { printf("%d %d\\n", f(4), f(5)); return 0; }
`,
  },
  {
    name: 'attributes naked always_inline noreturn constructor',
    text: `#include <stdio.h>
#include <stdlib.h>
static int before;
__attribute__((constructor)) static void early(void) { for (int i = 0; i < 3; i++) before++; }
static inline __attribute__((always_inline)) int tiny(int n) { for (int i = 0; i < 2; i++) n++; return n; }
__attribute__((noreturn)) static void end(int s) { for (int i = 0; i < 2; i++) putchar('.'); fflush(stdout); exit(s); }
__attribute__((noinline, cold)) static int cold(int n) { while (n > 10) n /= 2; return n; }
int main(void) { printf("%d %d %d\\n", before, tiny(1), cold(99)); fflush(stdout); end(4); }
`,
  },
  {
    name: 'macros that hide the braces, pragmas and __COUNTER__',
    options: ['-fopenmp', '-O2'],
    text: `#include <stdio.h>
#define BEGIN {
#define END }
#define OMP(x) _Pragma(#x)
static int ids[] = { __COUNTER__, __COUNTER__, __COUNTER__ };
int f(int n) BEGIN
  int s = 0;
  OMP(omp parallel for reduction(+:s))
  for (int i = 0; i < n; i++) s += i;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
  int nobody;
#pragma GCC diagnostic pop
  return s + ids[2];
END
int main(void) { printf("%d %s %d\\n", f(100), __func__, __LINE__); return 0; }
`,
  },
  {
    name: 'variadic, structures by value, doubles',
    options: ['-std=c99', '-lm'],
    text: `#include <stdarg.h>
#include <stdio.h>
struct big { double v[20]; };
static double total(int n, ...) { va_list l; double s = 0; va_start(l, n); for (int i = 0; i < n; i++) s += va_arg(l, double); va_end(l); return s; }
static struct big twice(struct big b) { for (int i = 0; i < 20; i++) b.v[i] *= 2; return b; }
static double many(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j) { double s = 0; for (int k = 0; k < 2; k++) s += a + b + c + d + e + f + g + h + i + j; return s; }
int main(void) { struct big b = { { 1.5 } }; printf("%g %g %g\\n", total(3, 1.0, 2.0, 3.5), twice(b).v[0], many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)); return 0; }
`,
  },
];

export const cxxPrograms: readonly TrialProgram[] = [
  {
    name: 'C++98 classes, exceptions, constructor try block',
    options: ['-std=c++98', ...strict, '-Wold-style-cast'],
    text: `#include <cstdio>
#include <stdexcept>
struct Noisy { ~Noisy() { for (int i = 0; i < 2; i++) std::putchar('~'); } };
struct Base { explicit Base(int n) { for (int i = 0; i < n; i++) if (i == 3) throw std::runtime_error("three"); } };
struct Derived : Base {
  Noisy noisy;
  explicit Derived(int n) try : Base(n), noisy() { for (int i = 0; i < n; i++) std::putchar('d'); } catch (std::exception& e) { std::puts(e.what()); }
};
int main() {
  try { Derived a(2); Derived b(5); } catch (std::exception&) { std::puts("caught"); }
  return 0;
}
`,
  },
  {
    name: 'templates constexpr lambdas noexcept',
    options: ['-std=c++17', ...strict],
    text: `#include <cstdio>
#include <array>
#include <string>
#include <utility>
constexpr int power(int b, int n) { int r = 1; for (int i = 0; i < n; i++) r *= b; return r; }
static_assert(power(2, 10) == 1024);
template <class... Ts> int count(Ts... all) { int n = 0; for (int v : { all... }) n += v; return n; }
template <int N> struct Table { std::array<int, N> v{}; Table() noexcept { for (int i = 0; i < N; i++) v[static_cast<std::size_t>(i)] = power(i, 2); } int sum() const noexcept { int s = 0; for (int x : v) s += x; return s; } };
constexpr auto square = [](int n) { int s = 0; for (int i = 0; i < n; i++) s += n; return s; };
static_assert(square(4) == 16);
int main() {
  int hits = 0;
  auto visit = [&hits](auto const& range) { for (auto c : range) if (c == 'x') ++hits; return hits; };
  std::printf("%d %d %d %d\\n", count(1, 2, 3), Table<5>().sum(), visit(std::string("axbx")), square(3));
  const char* raw = R"(
# 99 "nowhere.c" 3
)";
  std::printf("%s", raw);
  return 0;
}
`,
  },
  {
    name: 'goto over declarations, switch, local classes, operators',
    text: `#include <cstdio>
struct V { int x; V operator+(V o) const { V r = { x }; for (int i = 0; i < o.x; i++) r.x++; return r; } explicit operator bool() const { for (int i = 0; i < 1; i++) if (x) return true; return false; } };
extern "C" int plain(int n) { for (int i = 0; i < n; i++) if (i == 2) goto end; return 1; end: return 2; }
extern "C" { static int also(int n) { switch (n) { case 0: { int k = 1; return k; } default: while (n > 3) n--; } return n; } }
int main() { struct Local { int f(int n) { for (int i = 0; i < n; i++) n--; return n; } } l; V a = { 2 }, b = { 3 }; std::printf("%d %d %d %d %d\\n", (a + b).x, plain(5), also(9), l.f(6), bool(a)); return 0; }
`,
  },
  {
    name: 'coroutines',
    options: ['-std=c++20'],
    text: `#include <coroutine>
#include <cstdio>
struct Gen {
  struct promise_type { int v = 0; Gen get_return_object() { return Gen{ std::coroutine_handle<promise_type>::from_promise(*this) }; } std::suspend_always initial_suspend() { return {}; } std::suspend_always final_suspend() noexcept { return {}; } std::suspend_always yield_value(int x) { v = x; return {}; } void return_void() {} void unhandled_exception() {} };
  std::coroutine_handle<promise_type> h;
  ~Gen() { h.destroy(); }
};
Gen numbers(int n) { for (int i = 0; i < n; i++) co_yield i; }
int main() { Gen g = numbers(3); for (g.h.resume(); !g.h.done(); g.h.resume()) std::printf("%d ", g.h.promise().v); std::puts(""); return 0; }
`,
  },
  {
    name: 'virtual calls, threads, standard library',
    options: ['-std=c++14', '-pthread', '-Wall', '-Wextra', '-Werror'],
    text: `#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <thread>
#include <vector>
struct Shape { virtual ~Shape() = default; virtual double area() const = 0; };
struct Square : Shape { double a; explicit Square(double x) : a(x) {} double area() const override { double s = 0; for (int i = 0; i < 4; i++) s += a * a / 4; return s; } };
static void work(std::vector<int>& v, std::size_t from, std::size_t to) { for (std::size_t i = from; i < to; i++) v[i] = static_cast<int>(i * i); }
int main() {
  std::vector<int> v(100);
  std::thread a(work, std::ref(v), 0, 50), b(work, std::ref(v), 50, 100);
  a.join(); b.join();
  std::sort(v.begin(), v.end(), [](int x, int y) { for (int i = 0; i < 1; i++) if (x > y) return true; return false; });
  std::map<std::string, std::unique_ptr<Shape>> m;
  m["s"].reset(new Square(3));
  for (auto const& e : m) std::cout << e.first << e.second->area() << v[0] << std::endl;
  return 0;
}
`,
  },
];
