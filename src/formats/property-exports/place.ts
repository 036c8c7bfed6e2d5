import type { Property } from '../../core/properties/property';

/** `src/solver.c:12`, relative to `root` for files in it; empty for a property without a place. */
export function placeText({ region }: Property, root: string): string {
  if (region?.file === undefined) return '';
  const file = relativeTo(root, region.file);
  return region.line === undefined ? file : `${file}:${region.line}`;
}

export function relativeTo(root: string, file: string): string {
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
}

/** `name=value` pairs; numbers are as exact as in JSON. */
export function evidenceText({ evidence }: Property): string {
  return Object.entries(evidence)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
}
