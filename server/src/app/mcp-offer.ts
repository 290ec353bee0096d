import { listAgentsTool } from '../features/agents/mcp-tools.ts';
import { fileResource } from '../features/documents/mcp-resource.ts';
import { readDocumentTool, searchDocumentsTool } from '../features/documents/mcp-tools.ts';
import { setStatusTool } from '../features/identity/mcp-tools.ts';
import { addMemoryTool, listMemoriesTool, searchMemoryTool } from '../features/memory/mcp-tools.ts';
import { sessionResource } from '../features/messages/mcp-resource.ts';
import {
  listMessagesTool,
  postMessageTool,
  reactTool,
  searchMessagesTool,
} from '../features/messages/mcp-tools.ts';
import { listPinsTool, pinMessageTool } from '../features/messages/keeping/mcp-tools.ts';
import {
  cancelScheduledMessageTool,
  listScheduledMessagesTool,
  scheduleMessageTool,
} from '../features/messages/scheduled/mcp-tools.ts';
import { listModelProvidersTool } from '../features/models/providers/mcp-tools.ts';
import { listNotificationsTool } from '../features/notifications/mcp-tools.ts';
import { listMembersTool } from '../features/org/mcp-tools.ts';
import { projectResource } from '../features/projects/mcp-resource.ts';
import { listProjectsTool } from '../features/projects/mcp-tools.ts';
import {
  cancelReminderTool,
  createReminderTool,
  listRemindersTool,
} from '../features/reminders/mcp-tools.ts';
import {
  followSessionTool,
  leaveSessionTool,
  listFollowedSessionsTool,
  listSessionsTool,
  openDirectTool,
} from '../features/sessions/mcp-tools.ts';
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
    listModelProvidersTool,
    listMembersTool,
    setStatusTool,
    listSessionsTool,
    listFollowedSessionsTool,
    openDirectTool,
    followSessionTool,
    leaveSessionTool,
    listMessagesTool,
    listNotificationsTool,
    searchMessagesTool,
    searchDocumentsTool,
    readDocumentTool,
    postMessageTool,
    reactTool,
    listPinsTool,
    pinMessageTool,
    scheduleMessageTool,
    listScheduledMessagesTool,
    cancelScheduledMessageTool,
    listRemindersTool,
    createReminderTool,
    cancelReminderTool,
    listTasksTool,
    createTaskTool,
    updateTaskTool,
    startTaskTool,
  ],
  projectResource,
  [sessionResource, fileResource],
);
