import type { HotSpotsChannel } from './load';
import type { Model } from './model';

/** A dialog stands as long as the user likes. */
const dialogPatience = { patienceMilliseconds: 3_600_000 };

/** What the user asks the extension to do with what is shown. Errors are shown, never thrown. */
export class ProfileActions {
  constructor(
    private readonly channel: HotSpotsChannel,
    private readonly model: Model,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Of regions of the model, which may be of two profiles. */
  readonly openSource = (region: number): void => {
    const { side, position } = this.model.originOfRegion(region);
    this.channel.request('openSource', { side, region: position }, dialogPatience).catch(this.onError);
  };

  readonly pin = (region: number, state: 'in' | 'out' | 'none'): void => {
    const { side, position } = this.model.originOfRegion(region);
    this.channel.request('pin', { side, region: position, state }).catch(this.onError);
  };

  /** A position among the comparable profiles; −1: none. */
  compare(experiment: number): void {
    this.channel.request('compare', { experiment }).catch(this.onError);
  }

  save(kind: 'csv' | 'json' | 'speedscope'): void {
    this.channel.request('save', { kind, side: 'main' }, dialogPatience).catch(this.onError);
  }

  /** @param draw the picture; undefined: there is none */
  async savePicture(draw: () => Promise<Uint8Array | undefined>): Promise<void> {
    try {
      const content = await draw();
      if (content !== undefined) await this.channel.request('save', { kind: 'png', content }, dialogPatience);
    } catch (error) {
      this.onError(error);
    }
  }
}
