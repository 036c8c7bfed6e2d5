// What the runtime reads of a counter's page, with an instruction of its own in place of rdpmc: each line has whether it could be read, and the value.
#include "arch.h"

#include <stdio.h>
static uint64_t shown[4]; // by the counter
static void (*meanwhile)(void);
static uint64_t read_shown(uint32_t index) {
  uint64_t value = shown[index];
  if (meanwhile) meanwhile();
  return value;
}
#define kymo_read_pmc read_shown
#include "perf.c"

static struct perf_event_mmap_page page;
static void moves_once(void) { // The thread goes to another processor while it reads: another counter goes on for it.
  meanwhile = 0;
  page.lock += 2;
  page.index = 3;
  page.offset = 5000;
}

static void show(void) {
  uint64_t value = 0;
  bool good = read_page(&page, &value);
  printf("%d %lld\n", good, (long long)value);
}

int main(void) {
  page.cap_user_rdpmc = 1;
  page.pmc_width = 48;
  page.index = 2;
  page.offset = 1000;
  shown[1] = 234;
  show();
  shown[1] = (1ull << 48) - 1000; // The kernel starts it below zero, in the counter's own width.
  page.offset = 1ll << 48;
  show();
  shown[1] = 7;
  shown[2] = 11;
  meanwhile = moves_once;
  show();
  page.index = 0; // Another event has the counter now.
  show();
  page.index = 1;
  page.cap_user_rdpmc = 0;
  show();
  page.cap_user_rdpmc = 1;
  page.pmc_width = 0;
  show();
  return 0;
}
