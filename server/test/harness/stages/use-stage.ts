import { createAuthority } from '../outside/certificates.ts';
import { startMcpUpstream, type McpUpstream } from '../outside/mcp-upstream.ts';
import type { ModelServer } from '../outside/model-server.ts';
import { startOpenAiChatServer } from '../outside/openai-chat-server.ts';
import type { TestServerOptions } from '../processes/server.ts';
import { useStarted } from '../processes/use-started.ts';
import { startAgentStage, type AgentStage, type ModelEntry } from './agent-stage.ts';
import { startChannelStage, type ChannelStage } from './channel-stage.ts';

type Models = readonly (Omit<ModelEntry, 'server'> & { server?: ModelServer })[];
type Options = TestServerOptions | (() => TestServerOptions);

const ADA: Models = [{ slug: 'ada' }];

/** A provider for the tests of a file. */
export function useModel(start = startOpenAiChatServer): ModelServer {
  return useStarted(start, (server) => server.close());
}

/** An agent stage for the tests of a file. Its models are served by `ada`, unless they name another server. */
export function useAgentStage(
  models: Models = ADA,
  options: Options = {},
): { stage: AgentStage; ada: ModelServer } {
  return useStage(startAgentStage, models, options);
}

export function useChannelStage(
  models: Models = ADA,
  options: Options = {},
): { stage: ChannelStage; ada: ModelServer } {
  return useStage(startChannelStage, models, options);
}

/** An MCP server for the tests of a file, and the options of a server that may call it. */
export function useMcpUpstream(): {
  upstream: McpUpstream;
  mayCallIt: () => TestServerOptions;
  /** What `POST /api/mcp/servers` needs. */
  registration: (mentionSlug?: string) => object;
} {
  const authority = createAuthority();
  const upstream = useStarted(
    () => startMcpUpstream(authority),
    (started) => started.close(),
  );
  return {
    upstream,
    mayCallIt: () => ({ env: { MCP_ALLOW_HOSTS: upstream.host }, ca: authority.certificate }),
    registration: (mentionSlug = 'wiki') => ({
      displayName: 'Wiki',
      mentionSlug,
      endpointUrl: upstream.url,
      authType: 'NONE',
    }),
  };
}

function useStage<Stage extends AgentStage>(
  start: (models: ModelEntry[], options: TestServerOptions) => Promise<Stage>,
  models: Models,
  options: Options,
): { stage: Stage; ada: ModelServer } {
  const ada = useModel();
  const startIt = () =>
    start(
      models.map((model) => ({ server: ada, ...model })),
      typeof options === 'function' ? options() : options,
    );
  return { ada, stage: useStarted(startIt, (stage) => stage.stop()) };
}
