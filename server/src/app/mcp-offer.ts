import { listAgentsTool } from '../features/agents/mcp-tools.ts';
import { addMemoryTool, listMemoriesTool, searchMemoryTool } from '../features/memory/mcp-tools.ts';
import { sessionResource } from '../features/messages/mcp-resource.ts';
import {
  listMessagesTool,
  postMessageTool,
  searchMessagesTool,
} from '../features/messages/mcp-tools.ts';
import { listNotificationsTool } from '../features/notifications/mcp-tools.ts';
import { projectResource } from '../features/projects/mcp-resource.ts';
import { listProjectsTool } from '../features/projects/mcp-tools.ts';
import { listSessionsTool } from '../features/sessions/mcp-tools.ts';
import {
  createTaskTool,
  listTasksTool,
  startTaskTool,
  updateTaskTool,
} from '../features/tasks/mcp-tools.ts';
import { createOffer } from '../mcp-endpoint/offer.ts';

/** Every tool and resource of the MCP endpoint. Clients show tools in this order. */
export const MCP_OFFER = createOffer(
  [
    searchMemoryTool,
    addMemoryTool,
    listMemoriesTool,
    listProjectsTool,
    listAgentsTool,
    listSessionsTool,
    listMessagesTool,
    listNotificationsTool,
    searchMessagesTool,
    postMessageTool,
    listTasksTool,
    createTaskTool,
    updateTaskTool,
    startTaskTool,
  ],
  projectResource,
  [sessionResource],
);
