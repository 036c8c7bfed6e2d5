// What sources that are annotated for Score-P include. Score-P's own compilers find their own file first.
#include "../kymo_scorep.h"
