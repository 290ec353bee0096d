import { z } from 'zod';
import { optional } from '../../../core/fields.ts';
import { presentAgent } from '../../agents/present.ts';
import { AgentList } from '../../agents/schema.ts';
import { listAgents } from '../../agents/service.ts';
import { presentMatches, presentMemory, presentPage } from '../../memory/present.ts';
import {
  CreateMemory,
  ListMemories,
  Memory,
  MemoryMatches,
  MemoryPage,
  SearchMemories,
} from '../../memory/schema.ts';
import { createMemory, listMemories, prepareMemory, searchMemories } from '../../memory/service.ts';
import { presentMatches as presentMessageMatches, presentMessage } from '../../messages/present.ts';
import {
  CreateMessage,
  ListMessages,
  Message,
  MessageList,
  MessageMatches,
  SearchMessages,
} from '../../messages/schema.ts';
import { searchMessages } from '../../messages/search/service.ts';
import { listMessages, postMessage } from '../../messages/service.ts';
import { presentList } from '../../notifications/present.ts';
import { ListNotifications, NotificationList } from '../../notifications/schema.ts';
import { listNotifications } from '../../notifications/service.ts';
import { presentProject } from '../../projects/present.ts';
import { ProjectPage } from '../../projects/schema.ts';
import { listProjects } from '../../projects/service.ts';
import { presentSession } from '../../sessions/present.ts';
import { ListSessions, SessionPage } from '../../sessions/schema.ts';
import { listSessions } from '../../sessions/service.ts';
import { ADDING, page, POSTS, READING, READS, size, WRITES } from './parts.ts';
import { TASK_TOOLS } from './task-tools.ts';
import { defineTool, type Tool } from './tool.ts';

const slug = () => z.string().meta({ description: "The Project's slug, from list_projects." });
const sessionId = () => z.string().meta({ description: "The session's id, from list_sessions." });

export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  [
    defineTool({
      name: 'search_memory',
      title: 'Search memory',
      description:
        "Searches the team's memories by meaning and by words. Best matches come first. Ask in a full sentence. Finds only what you may see: your own PRIVATE memories, and those of your Projects and of the organisation.",
      scope: 'memory:read',
      quota: READS,
      annotations: READING,
      input: SearchMemories,
      output: MemoryMatches,
      prepare: (ctx, input) => searchMemories(ctx, input),
      run: async (_ctx, _input, result) => presentMatches(result),
    }),
    defineTool({
      name: 'add_memory',
      title: 'Remember something',
      description:
        'Saves a fact, decision or preference so that it can be found later. Save one thing at a time, in words that make sense on their own. PRIVATE: only you can see it. PROJECT: the members of the Project with this projectId. ORG: everyone in the organisation.',
      scope: 'memory:write',
      quota: WRITES,
      annotations: ADDING,
      input: CreateMemory,
      output: Memory,
      prepare: (ctx, input) => prepareMemory(ctx, input.content),
      run: async (ctx, input, encoded) => presentMemory(await createMemory(ctx, input, encoded)),
    }),
    defineTool({
      name: 'list_memories',
      title: 'List memories',
      description:
        'Lists the memories that you may see, newest first. To find something, use search_memory instead. For older ones, send nextBefore from the last result as before.',
      scope: 'memory:read',
      quota: READS,
      annotations: READING,
      input: z.strictObject({
        visibility: optional(ListMemories.shape.visibility),
        projectId: optional(ListMemories.shape.projectId),
        tag: optional(ListMemories.shape.tag),
        before: optional(ListMemories.shape.before),
        limit: size(20),
      }),
      output: MemoryPage,
      run: async (ctx, input) => presentPage(await listMemories(ctx, input)),
    }),
    defineTool({
      name: 'list_projects',
      title: 'List Projects',
      description:
        "Lists the Projects that you may see, newest first. Use a Project's slug in the tools for sessions and messages, and its id as the projectId of memories.",
      scope: 'projects:read',
      quota: READS,
      annotations: READING,
      input: z.strictObject({ page: page(), limit: size(20) }),
      output: ProjectPage,
      async run(ctx, input) {
        const { items, total } = await listProjects(ctx, input);
        return { items: items.map(presentProject), total, ...input };
      },
    }),
    defineTool({
      name: 'list_agents',
      title: 'List agents',
      description:
        'Lists the agents that the team has defined, newest first. Mention one by its slug in post_message, in a Project that it answers in, and it replies.',
      scope: 'agents:read',
      quota: READS,
      annotations: READING,
      input: z.strictObject({}),
      output: AgentList,
      async run(ctx) {
        const agents = await listAgents(ctx);
        return { items: agents.map(presentAgent), total: agents.length };
      },
    }),
    defineTool({
      name: 'list_sessions',
      title: 'List sessions',
      description: 'Lists the sessions (conversations) of a Project, most recently active first.',
      scope: 'sessions:read',
      quota: READS,
      annotations: READING,
      input: z.strictObject({
        slug: slug(),
        status: optional(ListSessions.shape.status.unwrap())
          .transform((status) => status ?? 'ACTIVE')
          .meta({
            description: 'ARCHIVED lists archived sessions instead. Default: ACTIVE.',
          }),
        page: page(),
        limit: size(20),
      }),
      output: SessionPage,
      async run(ctx, { slug, ...query }) {
        const { items, total } = await listSessions(ctx, slug, query);
        const { page, limit } = query;
        return { items: items.map(presentSession), total, page, limit };
      },
    }),
    defineTool({
      name: 'list_messages',
      title: 'List messages',
      description:
        'Lists the messages of a session, newest first. For older ones, send nextBefore from the last result as before.',
      scope: 'messages:read',
      quota: READS,
      annotations: READING,
      input: z.strictObject({
        slug: slug(),
        sessionId: sessionId(),
        before: optional(ListMessages.shape.before),
        around: optional(ListMessages.shape.around),
        parentMessageId: optional(ListMessages.shape.parentMessageId),
        limit: size(50),
      }),
      output: MessageList,
      async run(ctx, { slug, sessionId, ...query }) {
        return listMessages(ctx, slug, sessionId, query);
      },
    }),
    defineTool({
      name: 'list_notifications',
      title: 'List notifications',
      description:
        'Lists what you were told, newest first: who mentioned you, who replied in your threads, which agents answered you, who assigned you a task or finished one that you created. The text is the beginning of the message, which list_messages with around shows in full, or the title of the task. For older ones, send nextBefore from the last result as before.',
      scope: 'notifications:read',
      quota: READS,
      annotations: READING,
      input: z.strictObject({
        unread: optional(z.boolean())
          .transform((value) => value ?? false)
          .meta({ description: 'Only unread ones. Default: false.' }),
        before: optional(ListNotifications.shape.before),
        limit: size(20),
      }),
      output: NotificationList,
      run: async (ctx, input) => presentList(await listNotifications(ctx, input)),
    }),
    defineTool({
      name: 'search_messages',
      title: 'Search messages',
      description:
        "Searches the messages of all sessions that you may read by their words. Messages with more of the words, and with rarer ones, come first. Put a phrase that must occur in double quotes. To read what was said before and after a match, send its id as around to list_messages, with the match's project.slug and session.id.",
      scope: 'messages:read',
      quota: READS,
      annotations: READING,
      input: SearchMessages,
      output: MessageMatches,
      prepare: (ctx, input) => searchMessages(ctx, input),
      run: async (_ctx, _input, result) => presentMessageMatches(result),
    }),
    defineTool({
      name: 'post_message',
      title: 'Post a message',
      description:
        'Posts a message to a session on behalf of the person whose key you use. Everyone who can read the session can read it. A mention such as @model or @recall makes that model reply in the session. The reply arrives later: pendingReplies lists it until then, and list_messages shows it.',
      scope: 'messages:write',
      quota: POSTS,
      annotations: { ...ADDING, openWorldHint: true },
      input: CreateMessage.extend({ slug: slug(), sessionId: sessionId() }),
      output: Message,
      run: async (ctx, { slug, sessionId, ...message }) =>
        presentMessage(await postMessage(ctx, slug, sessionId, message)),
    }),
    ...TASK_TOOLS,
  ].map((tool) => [tool.name, tool]),
);
