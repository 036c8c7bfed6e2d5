import { pageRoot } from '../ui/page';
import './refinement.css';
import type { RefinementEvents, RefinementRequests } from '../../src/protocol/refinement';
import { Channel, type VsCodeApi } from '../ui/channel';
import { RefinementView } from './refinementView';

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
const channel = new Channel<RefinementRequests, RefinementEvents>(api);
const view = new RefinementView(channel, api);
pageRoot().append(view.element);
channel.ready();
void view.open();
