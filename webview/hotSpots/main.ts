import type { HotSpotsEvents, HotSpotsRequests } from '../../src/protocol/hotSpots';
import { Channel, type VsCodeApi } from '../ui/channel';
import { pageRoot } from '../ui/page';
import { App } from './app';
import './hotSpots.css';

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
const channel = new Channel<HotSpotsRequests, HotSpotsEvents>(api);
const app = new App(pageRoot(), channel, api);
channel.ready();
void app.open();
