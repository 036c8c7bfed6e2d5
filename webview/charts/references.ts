import type { Plugin } from 'chart.js';
import { themeToken } from '../ui/base/theme';
import { font, type Kinds } from './configuration';
import type { ChartData } from './data';

/** Draws the reference lines across the whole chart, with their labels. `data` returns the current data. */
export function referenceLines(data: () => ChartData | undefined): Plugin<Kinds> {
  return {
    id: 'references',
    afterDatasetsDraw: ({ ctx, chartArea, scales }) => {
      const shown = data();
      for (const { label, value, axis } of shown?.references ?? []) {
        const scale = scales[axis ?? 'left'];
        if (scale === undefined) continue;
        const y = scale.getPixelForValue(value);
        if (y < chartArea.top || y > chartArea.bottom) continue;
        const { family, size } = font();
        const color = themeToken('--vscode-foreground', '#cccccc');
        ctx.save();
        ctx.strokeStyle = color;
        ctx.fillStyle = color;
        ctx.setLineDash([2, 3]);
        ctx.lineWidth = 1;
        ctx.beginPath();
        ctx.moveTo(chartArea.left, y);
        ctx.lineTo(chartArea.right, y);
        ctx.stroke();
        ctx.font = `${size}px ${family}`;
        ctx.textAlign = 'right';
        const isNearTop = y - chartArea.top < size + 4;
        ctx.textBaseline = isNearTop ? 'top' : 'bottom';
        ctx.fillText(label, chartArea.right - 4, isNearTop ? y + 3 : y - 3);
        ctx.restore();
      }
    },
  };
}
