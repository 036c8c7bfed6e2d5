/* What one time step of the program does, by the bottleneck that is chosen. README.md describes them, truth.json says what is to be found. */
#pragma once

typedef struct team {
    int rank, ranks;
} team;

typedef struct bottleneck {
    const char *name;
    void (*step)(const team *t);
} bottleneck;

/* compute.c */
void deep(const team *t);
void hidden(const team *t);
void single_rank(const team *t);
void memory(const team *t);

/* messages.c */
void late_sender(const team *t);
void late_receiver(const team *t);
void slow_rank(const team *t);
void imbalance(const team *t);

/* threads.c */
void barrier(const team *t);
void lock(const team *t);
void serial(const team *t);

/* files.c */
void large_io(const team *t);
void small_io(const team *t);

/* ordinary.c */
void none(const team *t);
