import { maximumGroups } from '../../src/protocol/hotSpots';
import type { ProcessRanges } from '../../src/core/views/ranks/processRanges';
import type { DrawingFormat } from '../../src/protocol/hotSpots';
import type { HotSpotsChannel } from './data/load';
import type { Model } from './data/model';

/** A dialog may stay open for any time. */
const dialogPatience = { patienceMilliseconds: 3_600_000 };

/** Requests of the user to the extension. Shows errors instead of throwing them. */
export class ProfileActions {
  constructor(
    private readonly channel: HotSpotsChannel,
    private readonly model: Model,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** @param region number in the model, which may have two profiles */
  readonly openSource = (region: number): void => {
    const { side, position } = this.model.originOfRegion(region);
    this.channel.request('openSource', { side, region: position }, dialogPatience).catch(this.onError);
  };

  readonly pin = (region: number, state: 'in' | 'out' | 'none'): void => {
    const { side, position } = this.model.originOfRegion(region);
    this.channel.request('pin', { side, region: position, state }).catch(this.onError);
  };

  /** @param to a group that is given, or the user chooses among the given ones, or that of its own */
  async regroup(
    region: number,
    to: { readonly group: string } | { readonly among: readonly string[] } | 'own',
  ): Promise<void> {
    const { side, position } = this.model.originOfRegion(region);
    const place = { side, region: position };
    const asked =
      to === 'own'
        ? ({ ...place, to } as const)
        : 'group' in to
          ? ({ ...place, to: 'group', ...to } as const)
          : ({ ...place, to: 'chosen', among: to.among.slice(0, maximumGroups) } as const);
    await this.channel.request('regroup', asked, dialogPatience).catch(this.onError);
  }

  /** @param experiment position among the comparable profiles; −1 ends the comparison; undefined: the user chooses */
  compare(experiment: number | undefined): void {
    const { channel } = this;
    const asked =
      experiment === undefined
        ? channel.request('chooseBaseline', {}, dialogPatience)
        : channel.request('compare', { experiment });
    asked.catch(this.onError);
  }

  /** @param processes the ones whose values are shown; none: all */
  readonly choose = (processes: ProcessRanges): void => {
    this.channel.request('choose', { processes }).catch(this.onError);
  };

  save(kind: 'csv' | 'json' | 'speedscope'): void {
    this.channel.request('save', { kind, side: 'main' }, dialogPatience).catch(this.onError);
  }

  /** Saves a map or matrix, or its numbers. */
  readonly saveDrawing = (name: string, format: DrawingFormat, content: Uint8Array): void => {
    this.channel
      .request('save', { kind: 'drawing', format, name, content }, dialogPatience)
      .catch(this.onError);
  };

  /** @param draw returns the picture; undefined if there is none */
  async savePicture(draw: () => Promise<Uint8Array | undefined>): Promise<void> {
    try {
      const content = await draw();
      if (content !== undefined) await this.channel.request('save', { kind: 'png', content }, dialogPatience);
    } catch (error) {
      this.onError(error);
    }
  }
}
