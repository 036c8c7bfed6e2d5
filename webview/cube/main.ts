import type { CubeEvents, CubeRequests } from '../../src/protocol/cube';
import { Channel, type VsCodeApi } from '../ui/channel';
import { pageRoot } from '../ui/page';
import { App } from './app';
import './cube.css';

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
const channel = new Channel<CubeRequests, CubeEvents>(api);
const app = new App(pageRoot(), channel, api);
channel.ready();
void app.open();
