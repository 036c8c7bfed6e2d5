/** Files of the build systems that a refinement understands by itself (`activationEvents` in package.json has the same). */
export const buildFiles = [
  'CMakeLists.txt',
  'meson.build',
  'configure.ac',
  'GNUmakefile',
  'makefile',
  'Makefile',
] as const;
