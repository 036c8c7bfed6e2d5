// Parallel regions of libgomp. All threads of the team run the outlined function through `run`.
#include "gomp.h"

struct part {
  void *first; // GOMP_parallel_reductions reads the first word of the data
  void (*body)(void *data);
  void *data;
  struct kymo_team *team;
  uint32_t region; // of a construct that begins with the parallel region; 0: none
  enum kymo_construct construct;
};

int omp_get_num_threads(void);

static void run(void *data) {
  const struct part *part = data;
  struct kymo_team *team = part->team;
  if (!kymo_team_is_master(team)) kymo_team_join(team);
  kymo_team_size(team, (uint32_t)NEXT(omp_get_num_threads)());
  if (part->region) kymo_omp_begin_region(part->construct, part->region, NULL);
  part->body(part->data);
  kymo_team_arrive(team);
}

static bool begin(struct part *part, void (*body)(void *), void *data, const void *address) {
  if (!kymo_gomp_records()) return false;
  *part = (struct part){NULL, body, data, kymo_team_begin(address), 0, OMP_FOR};
  return part->team;
}

static bool begin_with(enum kymo_construct construct, struct part *part, void (*body)(void *), void *data, const void *address) {
  if (!begin(part, body, data, address)) return false;
  part->construct = construct;
  part->region = kymo_omp_region(construct, address);
  return true;
}

static void end(struct part *part) {
  kymo_team_released(part->team);
  kymo_team_end(part->team);
}

typedef void (*body)(void *);

GOMP_EXPORT void GOMP_parallel(body fn, void *data, unsigned threads, unsigned flags) {
  __typeof__(&GOMP_parallel) next = NEXT(GOMP_parallel);
  struct part part;
  if (!begin(&part, fn, data, HERE)) return next(fn, data, threads, flags);
  next(run, &part, threads, flags);
  end(&part);
}

GOMP_EXPORT unsigned GOMP_parallel_reductions(body fn, void *data, unsigned threads, unsigned flags) {
  __typeof__(&GOMP_parallel_reductions) next = NEXT(GOMP_parallel_reductions);
  struct part part;
  if (!begin(&part, fn, data, HERE)) return next(fn, data, threads, flags);
  part.first = *(void **)data;
  unsigned result = next(run, &part, threads, flags);
  end(&part);
  return result;
}

GOMP_EXPORT void GOMP_parallel_sections(body fn, void *data, unsigned threads, unsigned count, unsigned flags) {
  __typeof__(&GOMP_parallel_sections) next = NEXT(GOMP_parallel_sections);
  struct part part;
  if (!begin_with(OMP_SECTIONS, &part, fn, data, HERE)) return next(fn, data, threads, count, flags);
  next(run, &part, threads, count, flags);
  end(&part);
}

#define LOOP(name, chunk_parameter, chunk)                                                                                    \
  GOMP_EXPORT void GOMP_parallel_loop_##name(body fn, void *data, unsigned threads, long first, long last, long step chunk_parameter, unsigned flags) { \
    __typeof__(&GOMP_parallel_loop_##name) next = NEXT(GOMP_parallel_loop_##name);                                             \
    struct part part;                                                                                                         \
    if (!begin_with(OMP_FOR, &part, fn, data, HERE)) return next(fn, data, threads, first, last, step chunk, flags);                                                                                                                         \
    next(run, &part, threads, first, last, step chunk, flags);                                                                \
    end(&part);                                                                                                               \
  }
#define COMMA ,
LOOP(static, COMMA long chunk, COMMA chunk)
LOOP(dynamic, COMMA long chunk, COMMA chunk)
LOOP(guided, COMMA long chunk, COMMA chunk)
LOOP(nonmonotonic_dynamic, COMMA long chunk, COMMA chunk)
LOOP(nonmonotonic_guided, COMMA long chunk, COMMA chunk)
LOOP(runtime, , )
LOOP(nonmonotonic_runtime, , )
LOOP(maybe_nonmonotonic_runtime, , )
