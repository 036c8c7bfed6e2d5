import type { Hatch } from '../../charts/marks';
import type { PlotColors } from '../../charts/plotColors';
import type { Pattern } from '../../../src/core/signal/signal';

/** Kinds are distinguished without colours, too. */
export const hatches: Readonly<Record<Pattern['type'], Hatch>> = {
  peak: 'falling',
  trend: 'rising',
  step: 'upright',
};

export function patternColor(colors: PlotColors, { type, improvement }: Pattern): string {
  if (improvement === true) return colors.green;
  return { peak: colors.orange, trend: colors.red, step: colors.purple }[type];
}
