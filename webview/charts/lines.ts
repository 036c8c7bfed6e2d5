import { Chart, Filler, LineController, LineElement, PointElement } from 'chart.js';

// What charts with lines and bands need in addition to bars: 20 kB, which a page without them does not load.
Chart.register(Filler, LineController, LineElement, PointElement);
