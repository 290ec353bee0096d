import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Card } from '../../../ui/pages/page.tsx';

/** The opposite direction: this org's data, for programs that speak MCP. */
export function OurEndpointCard() {
  const url = `${location.origin}/api/mcp`;
  const snippet = JSON.stringify(
    {
      mcpServers: {
        atrium: {
          type: 'http',
          url,
          // oxlint-disable-next-line no-template-curly-in-string -- the client fills in the key
          headers: { Authorization: 'Bearer ${ATRIUM_API_KEY}' },
        },
      },
    },
    null,
    2,
  );
  return (
    <Card
      title="Use Atrium from other MCP clients"
      description="Claude, Cursor and other programs can search and add memory, and read and write in sessions, with your key’s permissions."
    >
      <div className="flex flex-wrap items-center gap-2">
        <code className="rounded-md bg-ground px-2 py-1 text-note wrap-anywhere">{url}</code>
        <CopyButton text={url} label="Copy address" />
      </div>
      <div className="flex flex-col items-start gap-2">
        <p className="text-sm">
          For Claude Code, put this in <code>.mcp.json</code> and the key in the environment
          variable <code>ATRIUM_API_KEY</code>. For other programs and the list of tools, see{' '}
          <code>docs/mcp.md</code>.
        </p>
        <pre
          tabIndex={0}
          aria-label="Configuration for MCP clients"
          className="w-full overflow-x-auto rounded-md border border-line bg-ground p-3 text-note"
        >
          <code>{snippet}</code>
        </pre>
        <CopyButton text={snippet} label="Copy configuration" />
      </div>
      <p className="text-sm">
        It needs an API key.{' '}
        <Link to="/settings/keys" className="text-accent underline">
          Create one in API keys
        </Link>
        , with only the scopes the program needs.
      </p>
    </Card>
  );
}
