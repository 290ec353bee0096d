import type { ResourceTemplateType, Tool as ListedTool } from '@modelcontextprotocol/server';
import { templateOf, type ListedResources, type Resource } from './resource.ts';
import { listTool, type Tool } from './tool.ts';

/** What clients can use. Features declare it, and app/mcp-offer.ts collects it. */
export interface McpOffer {
  tools: ReadonlyMap<string, Tool>;
  resources: readonly Resource[];
  /** The resources that `resources/list` lists. */
  listed: ListedResources;
  listedTools: ListedTool[];
  templates: ResourceTemplateType[];
}

export function createOffer(
  tools: readonly Tool[],
  listed: ListedResources,
  others: readonly Resource[],
): McpOffer {
  const resources = [listed, ...others];
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    resources,
    listed,
    listedTools: tools.map(listTool),
    templates: resources.map(templateOf),
  };
}
