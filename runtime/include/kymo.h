// Phases and regions for Kymo (C and C++). In a program that Kymo's compilers have not built, the macros do nothing and need no library.
//
//   KYMO_PHASE_BEGIN("step");    first statement in the body of the progress loop: each pass is an iteration
//   KYMO_PHASE_END("step");      last statement in the body, and before each `continue`
//   KYMO_REGION_BEGIN("halo");   begins a region in any part of a function
//   KYMO_REGION_END("halo");
//   KYMO_REGION("halo");         C++: a region up to the end of the block
//
// Begin and end must be in the same function, or in functions that are not measured themselves. The name must be the same at each pass.
#ifndef KYMO_H
#define KYMO_H

#ifdef __cplusplus
extern "C" {
#endif
void kymo_user_begin(unsigned *handle, const char *name, const char *file, unsigned line, unsigned is_phase) __attribute__((weak));
void kymo_user_end(unsigned *handle, const char *name, unsigned is_phase) __attribute__((weak));
#ifdef __cplusplus
}
#endif

#define KYMO_MARK_BEGIN(name, is_phase)                                                                  \
  do {                                                                                                   \
    static unsigned kymo_handle_;                                                                        \
    if (kymo_user_begin) kymo_user_begin(&kymo_handle_, (name), __FILE__, __LINE__, (is_phase));         \
  } while (0)
#define KYMO_MARK_END(name, is_phase)                                                                    \
  do {                                                                                                   \
    static unsigned kymo_handle_;                                                                        \
    if (kymo_user_end) kymo_user_end(&kymo_handle_, (name), (is_phase));                                 \
  } while (0)

#define KYMO_PHASE_BEGIN(name) KYMO_MARK_BEGIN(name, 1u)
#define KYMO_PHASE_END(name) KYMO_MARK_END(name, 1u)
#define KYMO_REGION_BEGIN(name) KYMO_MARK_BEGIN(name, 0u)
#define KYMO_REGION_END(name) KYMO_MARK_END(name, 0u)

#ifdef __cplusplus
struct kymo_scope_ {
  unsigned *handle;
  const char *name;
  kymo_scope_(unsigned *its_handle, const char *its_name, const char *file, unsigned line) : handle(its_handle), name(its_name) {
    if (kymo_user_begin) kymo_user_begin(handle, name, file, line, 0u);
  }
  ~kymo_scope_() {
    if (kymo_user_end) kymo_user_end(handle, name, 0u);
  }

private:
  kymo_scope_(const kymo_scope_ &);
  kymo_scope_ &operator=(const kymo_scope_ &);
};
#define KYMO_JOIN__(a, b) a##b
#define KYMO_JOIN_(a, b) KYMO_JOIN__(a, b)
#define KYMO_REGION(name)                                                                                \
  static unsigned KYMO_JOIN_(kymo_handle_, __LINE__);                                                    \
  kymo_scope_ KYMO_JOIN_(kymo_scope_in_, __LINE__)(&KYMO_JOIN_(kymo_handle_, __LINE__), (name), __FILE__, __LINE__)
#endif

#endif
