import type { Session } from '@atrium/sdk';
import { Bot, Check, ChevronDown } from 'lucide-react';
import { useModels } from '../../../data/queries.ts';
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

/** Who answers `@model` here: the session's model, its default agent, or the server's default. */
export function ModelMenu({ slug, session, canWrite }: ModelMenuProps) {
  const { data: models } = useModels();
  const update = useUpdateSession(slug, session);
  const { fallback } = useAnswerers(session);
  const chosen = update.isPending ? (update.variables.model ?? null) : session.model;
  const current = chosen ?? fallback;
  return (
    <Menu
      trigger={
        <Button
          size="small"
          look="quiet"
          aria-label={`Model: ${current}`}
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
      <MenuItem
        icon={<Mark isOn={chosen === null} />}
        onSelect={() => update.mutate({ model: null }, { onError: toastError })}
      >
        Default ({fallback})
      </MenuItem>
      <MenuSeparator />
      {models?.map((model) => (
        <MenuItem
          key={model.slug}
          icon={<Mark isOn={chosen === model.slug} />}
          onSelect={() => update.mutate({ model: model.slug }, { onError: toastError })}
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
