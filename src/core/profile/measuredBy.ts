import type { Profile } from './profile';

type Measured = Pick<Profile, 'attributes'>;

export const kymoAttributes = {
  creator: ['CREATOR', 'Kymo'],
  /** Calls of input and output were recorded, also where the program made none. */
  io: ['kymo::io', 'recorded'],
} as const;

/** Whether Kymo's own back-end measured it: what it records of all programs is absent only where the program has none. */
export function isByKymo({ attributes }: Measured): boolean {
  const [name, value] = kymoAttributes.creator;
  return attributes.get(name) === value;
}

export function recordsIo({ attributes }: Measured): boolean {
  return attributes.has(kymoAttributes.io[0]);
}
