// The handlers of runs with a trace: those of record.c, which also write each event into the buffer of its thread.
#define KYMO_TRACED 1
#define kymo_in kymo_traced_in
#define kymo_out kymo_traced_out
#define kymo_enter kymo_traced_enter
#define kymo_leave kymo_traced_leave
#define kymo_open kymo_traced_open
#include "record.c"
