// A program with landing pads (BTI) on all pages. It does not use the C library's start files, which have no landing pads.
#include "probes.h"

#include <stdio.h>
#include <stdlib.h>

// Replaces the definitions of libgcc, whose constructor has no landing pad either.
void *__dso_handle __attribute__((visibility("hidden")));
unsigned char __aarch64_have_lse_atomics __attribute__((visibility("hidden")));

PROBE_FOR(1)
__attribute__((noinline)) int twice(int n) { PROBE(1); return n * 2; }
int (*volatile pointer)(int) = twice;

int main(void) {
  int total = 0;
  for (int i = 0; i < 10; ++i) total += pointer(i);
  printf("%d\n= twice 10\n", total);
  return 6;
}

// Padding that puts the runtime's code on other pages than the patched sites.
__asm__(".pushsection .text\n.skip 65536\n.globl _start\n_start: bti c\n mov x29, xzr\n mov x30, xzr\n mov x5, x0\n ldr x1, [sp]\n add x2, sp, #8\n mov x6, sp\n"
        "adrp x0, main\n add x0, x0, :lo12:main\n mov x3, xzr\n mov x4, xzr\n bl __libc_start_main\n brk #1\n.skip 65536\n.popsection\n");
