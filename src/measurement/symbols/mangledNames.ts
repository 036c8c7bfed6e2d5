/**
 * Suffixes that compilers append to the names of clones: gcc's `.part.0`, `.constprop.1`, `.isra.2`, `.cold`, `.lto_priv.3`,
 * `.localalias`; clang's `.llvm.123`, `.specialized.1`, `.__uniq.5`. Contained Fortran procedures (`sub.0`) and
 * outlined OpenMP bodies (`f._omp_fn.0`) are separate functions, so these suffixes are not included.
 * The parts of a coroutine are clones: clang's `.resume`, `.destroy`, `.cleanup`; gcc's `f(f::f.Frame*) [.actor]`, see `coroutine`.
 */
const cloneSuffix =
  /(?:\.(?:part|constprop|isra|cold|lto_priv|localalias|specialized|llvm|__uniq|clone|avx2?|default|resolver|ifunc|resume|destroy|cleanup)(?:\.\d+)*)+$/;

/** gcc's functions for a coroutine `_Z1fi` have a parameter for its frame, whose type is called `_Z1fi.Frame`. */
const coroutine = /PZ.*?\d(_Z\w+)\.Frame\.(?:actor|destroy)/;

export function withoutCloneSuffix(symbol: string): string {
  const bare = coroutine.exec(symbol)?.[1] ?? symbol.replace(cloneSuffix, '');
  return bare === '' ? symbol : bare;
}

/** Whether gcc generated the function to start or end the counting of `--coverage` and `-fprofile-generate`. */
export function isOfCoverage(symbol: string): boolean {
  return /^_sub_[ID]_\d+_\d+$/.test(symbol);
}

export function isPartOfFunction(symbol: string): boolean {
  return /\.(?:part|cold)(?:\.\d+)?(?:\.|$)/.test(symbol);
}

/**
 * Whether two mangled names are equal or denote the same constructor or destructor, which has several symbols (C1/C2 …, and
 * C4/D4 in gcc's declarations).
 */
export function isSameStructor(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.length !== b.length || !a.startsWith('_Z')) return false;
  let difference = -1;
  for (let i = 0; i < a.length; i++) {
    if (a[i] === b[i]) continue;
    if (difference >= 0) return false;
    difference = i;
  }
  if (difference < 1) return false;
  const digits = /^[0-5]$/;
  return (
    /[CD]/.test(a[difference - 1] ?? '') &&
    digits.test(a[difference] ?? '') &&
    digits.test(b[difference] ?? '')
  );
}

/** Equal for all symbols of one constructor or destructor; only for names at the same place of the source. */
export function structorFamily(mangled: string): string {
  return mangled.startsWith('_Z') ? mangled.replace(/([CD])[0-5](?=[EIv])/g, '$1*') : mangled;
}

/** `module::procedure` for gfortran's `__module_MOD_procedure`; undefined for other names. */
export function fortranName(mangled: string): string | undefined {
  const match = /^__([a-z]\w*?)_MOD_([a-z]\w*)$/.exec(mangled);
  return match?.[1] === undefined || match[2] === undefined ? undefined : `${match[1]}::${match[2]}`;
}
