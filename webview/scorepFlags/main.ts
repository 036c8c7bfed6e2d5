import { pageRoot } from '../ui/page';
import './scorepFlags.css';
import type { ScorepFlagsEvents, ScorepFlagsRequests } from '../../src/protocol/scorepFlags';
import { Channel, type VsCodeApi } from '../ui/channel';
import { FlagsView } from './flagsView';

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
const channel = new Channel<ScorepFlagsRequests, ScorepFlagsEvents>(api);
const view = new FlagsView(channel, api);
pageRoot().append(view.element);
channel.ready();
void view.open();
