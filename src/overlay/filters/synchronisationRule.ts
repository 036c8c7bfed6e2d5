/** When packets of the children are released together (specification §2.4); decided at each process. */
export type SynchronisationRule =
  /** One packet of each child that leads to back ends of the stream. */
  | { readonly kind: 'all' }
  /** The same, or what is there this long after the first. At 0 nothing waits. */
  | { readonly kind: 'timeout'; readonly milliseconds: number }
  /** All that has come this long after the first, or as soon as there are so many; of a child there may be several. */
  | { readonly kind: 'batch'; readonly milliseconds: number; readonly packets: number }
  | { readonly kind: 'none' };
