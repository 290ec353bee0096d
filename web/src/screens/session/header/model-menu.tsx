import type { Session } from '@atrium/sdk';
import { Bot, Check, ChevronDown } from 'lucide-react';
import { useAgentsIn, useModels } from '../../../data/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../../ui/menu.tsx';
import { toastError } from '../../../ui/toast.tsx';
import { useAnswerers } from '../answerers.ts';
import { useUpdateSession } from '../queries.ts';

interface ModelMenuProps {
  slug: string;
  session: Session;
  canWrite: boolean;
}

/** Shows and changes who answers `@model` here. */
export function ModelMenu({ slug, session, canWrite }: ModelMenuProps) {
  const { data: models } = useModels();
  const update = useUpdateSession(slug, session);
  const agents = useAgentsIn(session.projectId);
  const { fallback, agentName } = useAnswerers(slug, session);
  const chosen = update.isPending ? (update.variables.model ?? null) : session.model;
  const current = agentName(chosen ?? fallback);
  const choose = (model: string | null) => update.mutate({ model }, { onError: toastError });
  return (
    <Menu
      trigger={
        <Button
          size="small"
          look="quiet"
          aria-label={`@model is answered by ${current}`}
          data-tooltip={`@model is answered by ${current}`}
          disabled={!canWrite}
          className="max-w-40 min-w-0"
        >
          <Bot aria-hidden className="size-4 shrink-0 text-muted" />
          <span className="hidden min-w-0 truncate sm:inline">{current}</span>
          <ChevronDown aria-hidden className="size-3.5 shrink-0 text-muted" />
        </Button>
      }
    >
      <MenuLabel>Who answers @model in this session</MenuLabel>
      <MenuItem icon={<Mark isOn={chosen === null} />} onSelect={() => choose(null)}>
        Default ({agentName(fallback)})
      </MenuItem>
      {agents.length > 0 && <MenuSeparator />}
      {agents.map((agent) => (
        <MenuItem
          key={agent.id}
          icon={<Mark isOn={chosen === agent.slug} />}
          onSelect={() => choose(agent.slug)}
        >
          <span dir="auto" className="min-w-0 wrap-anywhere">
            {agent.name}
          </span>
          <span className="ml-auto pl-3 text-xs text-muted">@{agent.slug}</span>
        </MenuItem>
      ))}
      <MenuSeparator />
      {models?.map((model) => (
        <MenuItem
          key={model.slug}
          icon={<Mark isOn={chosen === model.slug} />}
          onSelect={() => choose(model.slug)}
        >
          <span className="min-w-0 wrap-anywhere">{model.slug}</span>
          <span className="ml-auto pl-3 text-xs text-muted">{price(model.creditsPer1kTokens)}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}

function Mark({ isOn }: { isOn: boolean }) {
  return isOn ? (
    <Check role="img" aria-label="Selected:" className="size-4 shrink-0 text-accent" />
  ) : (
    <span className="size-4 shrink-0" />
  );
}

function price(credits: number): string {
  return credits === 0 ? 'free' : `${credits} credits per 1,000 tokens`;
}
