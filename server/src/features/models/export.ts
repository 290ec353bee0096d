import { shortKind } from '../../lists/record-kind.ts';
import { presentProvider } from './providers/present.ts';
import { listModelProviders } from './service.ts';

export const modelProviders = shortKind('model-providers', listModelProviders, presentProvider);
