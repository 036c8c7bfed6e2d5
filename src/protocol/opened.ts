/** What a panel shows of an opened document that takes a while to make: an analysis, models. */
export type Opened<Header> =
  | { readonly kind: 'making'; readonly progress?: MakingProgress }
  | { readonly kind: 'done'; readonly header: Header }
  /** The input has nothing to show; `message` says why. */
  | { readonly kind: 'empty'; readonly message: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string };

export interface MakingProgress {
  readonly message: string;
  /** Completed share (0…1) of the whole work. */
  readonly fraction?: number;
}

/** Rows `[first, first + count)` of the document with this id; the request fails when another one has replaced it. */
export interface OpenedPiece {
  readonly id: string;
  readonly first: number;
  readonly count: number;
}

export interface CancelRequest {
  readonly parameters: Record<string, never>;
  readonly result: { readonly cancelled: boolean };
}
