import type { Message } from '@atrium/sdk';
import { RefreshCw, WandSparkles } from 'lucide-react';
import { useState } from 'react';
import { useAgentsIn, useModels } from '../../../data/queries.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../../ui/controls/menu.tsx';
import { useSession } from '../session-context.ts';
import { useMessageActions } from '../use-message-actions.ts';

/** Asks the question of an answer again, the same agent or another. */
export function Regenerate({ question }: { question: Message }) {
  const { askAgain } = useMessageActions();
  const { session } = useSession();
  const { data: models } = useModels();
  const agents = useAgentsIn(session.projectId);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label="Regenerate" icon={RefreshCw} onClick={() => askAgain(question)} />
      <Menu
        open={isOpen}
        onOpenChange={setOpen}
        trigger={<IconButton label="Regenerate with another model" icon={WandSparkles} />}
      >
        <MenuLabel>Regenerate with</MenuLabel>
        {agents.map(({ id, slug, name }) => (
          <MenuItem key={id} onSelect={() => askAgain(question, { agent: slug })}>
            <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
            <span className="ml-auto pl-3 text-xs text-muted">@{slug}</span>
          </MenuItem>
        ))}
        {agents.length > 0 && <MenuSeparator />}
        {models?.map(({ slug }) => (
          <MenuItem key={slug} onSelect={() => askAgain(question, { agent: slug })}>
            {slug}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
