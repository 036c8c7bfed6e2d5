import { serve } from '../../../src/engine/serve';
import { testRequests } from './testRequests';

serve(testRequests);
