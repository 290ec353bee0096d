/** Whether MCP server `i` of org $1 serves Project `p`: bound to it, or bound to none. The only place that decides this. */
export const SERVES_PROJECT = `(
  NOT EXISTS (SELECT 1 FROM mcp_server_projects b WHERE b.org_id = $1 AND b.server_id = i.id)
  OR EXISTS (SELECT 1 FROM mcp_server_projects b
    WHERE b.org_id = $1 AND b.server_id = i.id AND b.project_id = p.id))`;
