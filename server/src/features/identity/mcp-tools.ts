import { z } from 'zod';
import { WRITES } from '../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../mcp-endpoint/tool.ts';
import { Me, UpdateMe } from './schema.ts';
import { updateCaller } from './update-caller.ts';

export const setStatusTool = defineMcpTool({
  name: 'set_status',
  title: 'Set the status',
  description:
    'Says what the person whose key you use is doing, with an emoji, a text and an end if there is one. Null ends the status.',
  scope: 'org:write',
  ...WRITES,
  input: UpdateMe.pick({ status: true }).required(),
  output: z.object({ status: Me.shape.status }),
  async run(ctx, input) {
    const { status } = await updateCaller(ctx, input);
    return { status };
  },
});
