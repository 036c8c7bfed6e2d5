import { requests } from './requests/requests';
import { serve } from './serve';

serve(requests);
