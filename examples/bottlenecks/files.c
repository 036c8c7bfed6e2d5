/* Ranks that wait for files. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bottlenecks.h"
#include "ordinary.h"
#include "work.h"

/* A file of this rank without a name, in the working directory; it is gone when the program ends. */
static own int make_file(void) {
    char name[] = "bottlenecks-XXXXXX";
    const int file = mkstemp(name);
    if (file < 0 || unlink(name) != 0) {
        perror("bottlenecks: no file in the working directory");
        exit(1);
    }
    return file;
}

static void write_all(int file, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t written = write(file, bytes, size);
        if (written <= 0) {
            perror("bottlenecks: writing a file");
            exit(1);
        }
        bytes += written;
        size -= (size_t)written;
    }
}

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double seconds(void) { return seconds_of(CLOCK_MONOTONIC); }

/*
 * Computes, and returns how long the processor took: writing lasts four times as long, whatever the machine and its disk are, and equally
 * long on all ranks, though some may have had to wait for a processor.
 */
static own double compute_first(void) {
    const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    ordinary(64);
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin;
}

/* --- large-io: blocks of a mebibyte, each of which has to be on the disk before the next one --- */

enum { block_size = 1 << 20, blocks_of_file = 16 };

static own void write_checkpoint(int file, double duration) {
    static char block[block_size];
    const double end = seconds() + duration;
    int written = 0;
    do {
        if (written++ % blocks_of_file == 0) lseek(file, 0, SEEK_SET);
        write_all(file, block, sizeof block);
        fsync(file);
    } while (seconds() < end);
}

void large_io(const team *t) {
    static int file = -1;
    (void)t;
    if (file < 0) file = make_file();
    write_checkpoint(file, 4 * compute_first());
}

/* --- small-io: a system call for each record of 48 bytes --- */

enum { records_of_file = 1 << 14 };

static own void append_records(int file, double duration) {
    static const char record[48] = "x y z, and what else there is of a particle";
    const double end = seconds() + duration;
    int written = 0;
    do {
        if (written % records_of_file == 0) lseek(file, 0, SEEK_SET);
        for (int i = 0; i < 64; i++) write_all(file, record, sizeof record);
        written += 64;
    } while (seconds() < end);
}

void small_io(const team *t) {
    static int file = -1;
    (void)t;
    if (file < 0) file = make_file();
    append_records(file, 4 * compute_first());
}
