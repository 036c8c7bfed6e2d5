/** The first clang whose IR has pointers without types and names the class of a virtual call. */
export const oldestClang = 15;

/**
 * Options to append to those of the unit: IR from the front end, with debug information for names and places, and with the class of
 * each virtual call (`llvm.public.type.test`). The last two options belong to link-time optimisation; without it only the front end itself
 * accepts them.
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
  // Makes virtual tables name the classes of this unit alone that they belong to.
  '-Xclang',
  '-flto-unit',
];
