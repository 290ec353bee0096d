import { shortKind } from '../../lists/record-kind.ts';
import { readConnections } from './connections/service.ts';
import { readMappings } from './mappings/service.ts';
import { presentConnection, presentMapping } from './present.ts';

export const channels = shortKind('channels', readMappings, presentMapping);
export const channelConnections = shortKind(
  'channel-connections',
  readConnections,
  presentConnection,
);
