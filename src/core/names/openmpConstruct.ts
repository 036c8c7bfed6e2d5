/** An OpenMP construct in the source. */
export interface OpenmpConstruct {
  /** `parallel`, `implicit barrier`. */
  readonly kind: string;
  /** Name of its file, without folder. */
  readonly file: string;
  readonly line: number;
}

/** Reads the name that Score-P gives to a construct: `!$omp parallel @heat.f90:42`; undefined for other names. */
export function openmpConstruct(name: string): OpenmpConstruct | undefined {
  const [, kind, file, line] = /^(?:!\$)?omp ([^@]*[^@\s])\s*@(.+):(\d+)$/.exec(name) ?? [];
  return kind === undefined || file === undefined ? undefined : { kind, file, line: Number(line) };
}
