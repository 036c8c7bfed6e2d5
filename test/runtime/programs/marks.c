/* The macros in plain C and C++, without Kymo's compilers. */
#include <kymo.h>
#include <kymo_scorep.h>
#include <stdio.h>

static int work(int x) {
  SCOREP_USER_FUNC_BEGIN()
  x += 1;
  SCOREP_USER_FUNC_END()
  return x;
}

int main(void) {
  int i, x = 0;
  SCOREP_USER_REGION_DEFINE(handle)
  for (i = 0; i < 10; ++i) {
    KYMO_PHASE_BEGIN("iteration");
    KYMO_REGION_BEGIN("region");
    x = work(x);
    KYMO_REGION_END("region");
    SCOREP_USER_REGION_BEGIN(handle, "scorep", SCOREP_USER_REGION_TYPE_COMMON)
    x = work(x);
    SCOREP_USER_REGION_END(handle)
    SCOREP_USER_REGION_BY_NAME_BEGIN("named", SCOREP_USER_REGION_TYPE_COMMON)
    {
#ifdef __cplusplus
      KYMO_REGION("scope");
      SCOREP_USER_REGION("another", SCOREP_USER_REGION_TYPE_COMMON)
#endif
      x = work(x);
    }
    SCOREP_USER_REGION_BY_NAME_END("named")
    SCOREP_USER_PARAMETER_INT64("x", x)
    KYMO_PHASE_END("iteration");
  }
  printf("ok %d\n", x);
  return 0;
}
