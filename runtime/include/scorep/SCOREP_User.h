// Sources that are annotated for Score-P include a header of this name. Score-P's own compilers find their own header first.
#include "../kymo_scorep.h"
