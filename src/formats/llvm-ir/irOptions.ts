/** The first clang whose IR has pointers without types and names the class of a virtual call. */
export const oldestClang = 15;

/**
 * After the unit's own options: IR as the front end makes it, with debug information for names and places, and with the class of
 * each virtual call (`llvm.public.type.test`). The last two belong to link-time optimisation; without it only the front end itself
 * takes them.
 */
export const irOptions: readonly string[] = [
  '-g',
  '-gno-column-info',
  '-gno-split-dwarf',
  '-S',
  '-emit-llvm',
  '-Xclang',
  '-disable-llvm-passes',
  '-Xclang',
  '-fwhole-program-vtables',
  // Virtual tables then say which classes of this unit alone they are of.
  '-Xclang',
  '-flto-unit',
];
