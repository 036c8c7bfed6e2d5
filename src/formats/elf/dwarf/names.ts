/** DWARF numbers that the reader needs (DWARF 5 §7; the GNU ones from the GCC wiki). */
export const tag = { inlinedSubroutine: 0x1d, subprogram: 0x2e } as const;

export const attribute = {
  name: 0x03,
  stmtList: 0x10,
  lowPc: 0x11,
  highPc: 0x12,
  compDir: 0x1b,
  abstractOrigin: 0x31,
  declColumn: 0x39,
  declFile: 0x3a,
  declLine: 0x3b,
  external: 0x3f,
  specification: 0x47,
  ranges: 0x55,
  linkageName: 0x6e,
  strOffsetsBase: 0x72,
  addrBase: 0x73,
  rnglistsBase: 0x74,
  dwoName: 0x76,
  mipsLinkageName: 0x2007,
  gnuDwoName: 0x2130,
} as const;

/** Attributes whose values the reader stores; it skips all others. */
export const wantedAttributes: ReadonlySet<number> = new Set(Object.values(attribute));

export const form = {
  addr: 0x01,
  string: 0x08,
  strp: 0x0e,
  refAddr: 0x10,
  ref1: 0x11,
  refUdata: 0x15,
  indirect: 0x16,
  secOffset: 0x17,
  strx: 0x1a,
  addrx: 0x1b,
  lineStrp: 0x1f,
  implicitConst: 0x21,
  rnglistx: 0x23,
  strx1: 0x25,
  strx4: 0x28,
  addrx1: 0x29,
  addrx4: 0x2c,
  gnuAddrIndex: 0x1f01,
  gnuStrIndex: 0x1f02,
} as const;
