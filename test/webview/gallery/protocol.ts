export interface GalleryRequests {
  readonly times: { readonly parameters: { readonly count: number }; readonly result: Float64Array };
}

export interface GalleryEvents {
  readonly say: string;
}
