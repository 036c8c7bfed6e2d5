#pragma once

/* Who works: functions that differ in nothing would become one. */
enum worker { ASSEMBLE_ROW, INTERACT_PAIR, SORT_ELEMENT, REDUCE_LEVEL, EXCHANGE_WITH_RANK, GATHER_ROW, BALANCE_PART, workers };

/* Additions of one call of `work`. */
enum { additions = 200 };

/* The same work in each call. Calls are counted by worker. */
void work(enum worker who);

void print_work(void);
