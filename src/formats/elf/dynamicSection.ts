import { present } from '../../core/present';
import { elf, stringAt, type ElfFile } from './elfFile';

/** Libraries and folders that an executable or library requests from the dynamic linker. */
export interface DynamicNeeds {
  /** Names of linked libraries (DT_NEEDED). */
  readonly needed: readonly string[];
  /** Folders of DT_RPATH and DT_RUNPATH as written, including `$ORIGIN`. */
  readonly runPath: readonly string[];
  readonly soname?: string;
}

const tag = { null: 0, needed: 1, soname: 14, rpath: 15, runpath: 29 } as const;

const wantedTags: ReadonlySet<number> = new Set([tag.needed, tag.soname, tag.rpath, tag.runpath]);

export function readDynamicNeeds(file: ElfFile): DynamicNeeds {
  const section = file.sections.find((s) => s.type === elf.section.dynamic);
  if (section === undefined) return { needed: [], runPath: [] };
  const strings = file.sections[section.link];
  const text = strings?.type === elf.section.strings ? file.data(strings) : new Uint8Array(0);
  const values = new Map<number, string[]>();
  const cursor = file.cursor(section);
  while (cursor.remaining >= 16) {
    const [what, value] = [cursor.u64(), cursor.u64()];
    if (what === tag.null) break;
    if (!wantedTags.has(what)) continue;
    values.set(what, [...(values.get(what) ?? []), stringAt(text, value)]);
  }
  const soname = values.get(tag.soname)?.[0];
  // The loader ignores RPATH if there is a RUNPATH.
  const paths = values.get(tag.runpath) ?? values.get(tag.rpath) ?? [];
  return {
    needed: values.get(tag.needed) ?? [],
    runPath: paths.flatMap((p) => p.split(':')).filter((p) => p !== ''),
    ...present({ soname }),
  };
}
