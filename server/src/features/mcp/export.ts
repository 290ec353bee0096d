import { shortKind } from '../../lists/record-kind.ts';
import { presentServer } from './present.ts';
import { listMcpServers } from './service.ts';

export const mcpServers = shortKind('mcp-servers', listMcpServers, presentServer);
