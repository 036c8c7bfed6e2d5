// The user macros of Score-P for Kymo (C and C++), so that sources that are annotated for Score-P build unchanged. Regions of type DYNAMIC
// and the phase of online access become phases, so each pass is an iteration. The macros for parameters, metrics, rewinding, topologies and
// switching the recording do nothing.
#ifndef KYMO_SCOREP_H
#define KYMO_SCOREP_H

#include "kymo.h"

#define SCOREP_USER_REGION_TYPE_COMMON 0
#define SCOREP_USER_REGION_TYPE_FUNCTION 1
#define SCOREP_USER_REGION_TYPE_LOOP 2
#define SCOREP_USER_REGION_TYPE_DYNAMIC 4
#define SCOREP_USER_REGION_TYPE_PHASE 8

struct kymo_scorep_region_ {
  unsigned slot;
  const char *name;
  unsigned is_phase;
};
typedef struct kymo_scorep_region_ SCOREP_User_RegionHandle;
#define SCOREP_USER_INVALID_REGION {0, 0, 0}

#define SCOREP_USER_REGION_DEFINE(handle) static SCOREP_User_RegionHandle handle = SCOREP_USER_INVALID_REGION;
#define SCOREP_USER_GLOBAL_REGION_DEFINE(handle) SCOREP_User_RegionHandle handle = SCOREP_USER_INVALID_REGION;
#define SCOREP_USER_GLOBAL_REGION_EXTERNAL(handle) extern SCOREP_User_RegionHandle handle;
#define SCOREP_GLOBAL_REGION_DEFINE(handle) SCOREP_USER_GLOBAL_REGION_DEFINE(handle)
#define SCOREP_GLOBAL_REGION_EXTERNAL(handle) SCOREP_USER_GLOBAL_REGION_EXTERNAL(handle)

#define SCOREP_USER_REGION_INIT(handle, its_name, type)                    \
  do {                                                                     \
    if (!(handle).name) (handle).is_phase = ((type) & 4) != 0;             \
    if (!(handle).name) (handle).name = (its_name);                        \
  } while (0);
#define SCOREP_USER_REGION_ENTER(handle)                                                                                       \
  do {                                                                                                                         \
    if (kymo_user_begin && (handle).name) kymo_user_begin(&(handle).slot, (handle).name, __FILE__, __LINE__, (handle).is_phase); \
  } while (0);
#define SCOREP_USER_REGION_BEGIN(handle, its_name, type)   \
  do {                                                     \
    SCOREP_USER_REGION_INIT(handle, its_name, type)        \
    SCOREP_USER_REGION_ENTER(handle)                       \
  } while (0);
#define SCOREP_USER_REGION_END(handle)                                                                        \
  do {                                                                                                        \
    if (kymo_user_end && (handle).name) kymo_user_end(&(handle).slot, (handle).name, (handle).is_phase);      \
  } while (0);
#define SCOREP_USER_OA_PHASE_BEGIN(handle, its_name, type) SCOREP_USER_REGION_BEGIN(handle, its_name, SCOREP_USER_REGION_TYPE_DYNAMIC)
#define SCOREP_USER_OA_PHASE_END(handle) SCOREP_USER_REGION_END(handle)

// The name may change from pass to pass, so there is no static handle.
#define SCOREP_USER_REGION_BY_NAME_BEGIN(name, type)                                                                   \
  do {                                                                                                                 \
    unsigned kymo_slot_ = 0;                                                                                           \
    if (kymo_user_begin) kymo_user_begin(&kymo_slot_, (name), __FILE__, __LINE__, ((type) & 4) != 0);                  \
  } while (0);
#define SCOREP_USER_REGION_BY_NAME_END(name)                       \
  do {                                                             \
    unsigned kymo_slot_ = 0;                                       \
    if (kymo_user_end) kymo_user_end(&kymo_slot_, (name), 0u);     \
  } while (0);

#define SCOREP_USER_FUNC_DEFINE()
#define SCOREP_USER_FUNC_BEGIN()                          \
  SCOREP_USER_REGION_DEFINE(kymo_scorep_func_)            \
  SCOREP_USER_REGION_BEGIN(kymo_scorep_func_, __func__, SCOREP_USER_REGION_TYPE_FUNCTION)
#define SCOREP_USER_FUNC_END() SCOREP_USER_REGION_END(kymo_scorep_func_)

#ifdef __cplusplus
#define SCOREP_USER_REGION(name, type) KYMO_REGION(name);
#endif

#define SCOREP_USER_REWIND_DEFINE(handle)
#define SCOREP_USER_REWIND_POINT(handle, name)
#define SCOREP_USER_REWIND_CHECK(handle, value)
#define SCOREP_USER_PARAMETER_DEFINE(handle)
#define SCOREP_USER_PARAMETER_INT64(name, value)
#define SCOREP_USER_PARAMETER_UINT64(name, value)
#define SCOREP_USER_PARAMETER_STRING(name, value)
#define SCOREP_USER_METRIC_GLOBAL(handle)
#define SCOREP_USER_METRIC_EXTERNAL(handle)
#define SCOREP_USER_METRIC_LOCAL(handle)
#define SCOREP_USER_METRIC_INIT(handle, name, unit, type, context)
#define SCOREP_USER_METRIC_INT64(handle, value)
#define SCOREP_USER_METRIC_UINT64(handle, value)
#define SCOREP_USER_METRIC_DOUBLE(handle, value)
#define SCOREP_USER_CARTESIAN_TOPOLOGY_DEFINE(handle)
#define SCOREP_USER_CARTESIAN_TOPOLOGY_CREATE(handle, name, dimensions)
#define SCOREP_USER_CARTESIAN_TOPOLOGY_ADD_DIM(handle, size, periodic, name)
#define SCOREP_USER_CARTESIAN_TOPOLOGY_INIT(handle)
#define SCOREP_USER_CARTESIAN_TOPOLOGY_SET_COORDS(handle, ...)
#define SCOREP_RECORDING_ON()
#define SCOREP_RECORDING_OFF()
#define SCOREP_RECORDING_IS_ON() 1

#endif
