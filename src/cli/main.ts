import { runMain } from './runMain';

void runMain(process.argv.slice(2));
