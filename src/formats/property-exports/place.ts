import type { Property } from '../../core/properties/property';

/** `src/solver.c:12`, relative to `root` where the file lies below it; empty without a place. */
export function placeText({ region }: Property, root: string): string {
  if (region?.file === undefined) return '';
  const file = relativeTo(root, region.file);
  return region.line === undefined ? file : `${file}:${region.line}`;
}

export function relativeTo(root: string, file: string): string {
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
}

/** `name=value` pairs; numbers as exact as JSON's. */
export function evidenceText({ evidence }: Property): string {
  return Object.entries(evidence)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
}
