/** The limit in milliseconds on this machine for one that is right on a quiet machine; both are whole. */
export function patience(milliseconds: number): number;
