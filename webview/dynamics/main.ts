import { pageRoot } from '../ui/page';
import './dynamics.css';
import type { DynamicsEvents, DynamicsRequests } from '../../src/protocol/dynamics';
import { Channel, type VsCodeApi } from '../ui/channel';
import { DynamicsView } from './dynamicsView';

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
const channel = new Channel<DynamicsRequests, DynamicsEvents>(api);
const view = new DynamicsView(channel, api);
pageRoot().append(view.element);
channel.ready();
void view.open();
