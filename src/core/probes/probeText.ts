/**
 * The text of probes: sleds (room for a patched call, with a record that says where it is; docs/formats.md) in declarations
 * that are valid in every standard since C90 and C++98. Names carry the unit's hash, so that they clash with nothing.
 */
export interface ProbeStyle {
  readonly architecture: ProbeArchitecture;
  /** `asm inline` (gcc ≥ 9) keeps the sled's length out of inlining decisions. */
  readonly asmInline: boolean;
}

export type ProbeArchitecture = 'x86-64' | 'aarch64';

/** The room that the runtime patches (runtime/README.md): one instruction on x86-64, as each costs something while nothing is recorded. */
const roomOf: Record<ProbeArchitecture, string> = {
  'x86-64': '.byte 0x0f,0x1f,0x44,0x00,0x00',
  aarch64: '.rept 5\\n\\tnop\\n\\t.endr',
};

/** Every name that a probe brings into the text contains this. */
export const probePrefix = 'kymo_probe_';

const attributes = '__always_inline__, __unused__, __no_instrument_function__';

function sled(hash: string, functionNumber: number, kind: 0 | 1, style: ProbeStyle): string {
  const lines = [
    `.Lkymo%=: ${roomOf[style.architecture]}`,
    // Link order: the record is discarded together with a discarded copy of the code.
    '.pushsection kymo_sleds,\\"ao\\",@progbits,.Lkymo%=',
    '.long .Lkymo%= - .',
    `.long ${String(functionNumber * 2 + kind)}`,
    `.quad 0x${hash}`,
    '.popsection',
  ];
  // Colons make it extended assembly, which `%=` needs; no clobbers, because the patched call preserves every register.
  return `__asm__ __volatile__ ${style.asmInline ? '__inline__ ' : ''}("${lines.join('\\n\\t')}" : : );`;
}

/**
 * Stands first in a definition with probes: these are what is recorded of the function, and an idle patchable entry beside them costs
 * something at every call (3 % in an interpreter).
 */
export const withoutEntry = '__attribute__((__patchable_function_entry__(0)))';

/** Definitions that begin in a way that no attribute may stand before: lambdas, `[[…]]` and `__extension__`. They keep their entries. */
const cannotFollowAttributes = /\[|__extension__/y;

export function mayFollowAttribute(text: string, offset: number): boolean {
  cannotFollowAttributes.lastIndex = offset;
  return !cannotFollowAttributes.test(text);
}

/** What stands before the definition of the function (C only; empty for C++). */
export function probeHelper(
  scope: 'c' | 'c++',
  hash: string,
  functionNumber: number,
  style: ProbeStyle,
): string {
  if (scope === 'c++') return '';
  const tag = `${hash}_${String(functionNumber)}`;
  const head = `static __inline__ __attribute__((${attributes}))`;
  return (
    `${head} char ${probePrefix}in_${tag}(void) { ${sled(hash, functionNumber, 0, style)} return 0; }\n` +
    `${head} void ${probePrefix}out_${tag}(const char *${probePrefix}p) ` +
    `{ (void)${probePrefix}p; ${sled(hash, functionNumber, 1, style)} }`
  );
}

/** What stands first in the body. */
export function probeGuard(
  scope: 'c' | 'c++',
  hash: string,
  functionNumber: number,
  style: ProbeStyle,
): string {
  const tag = `${hash}_${String(functionNumber)}`;
  if (scope === 'c') {
    return (
      `const char ${probePrefix}${tag} __attribute__((__unused__, __cleanup__(${probePrefix}out_${tag}))) ` +
      `= ${probePrefix}in_${tag}();`
    );
  }
  const name = `${probePrefix}${tag}`;
  const head = `__inline__ __attribute__((${attributes}))`;
  return (
    `struct ${name} { ${head} ${name}() { ${sled(hash, functionNumber, 0, style)} } ` +
    `${head} ~${name}() { ${sled(hash, functionNumber, 1, style)} } } ` +
    `${probePrefix}g_${tag} __attribute__((__unused__));`
  );
}

/** Names the unit in the object file, so that a linked object leads to its fragments. */
export function unitRecord(hash: string): string {
  return `__asm__(".pushsection .kymo.units,\\"\\",@progbits\\n\\t.quad 0x${hash}\\n\\t.popsection");`;
}
