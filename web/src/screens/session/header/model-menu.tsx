import type { Session } from '@atrium/sdk';
import { Bot, ChevronDown } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { Menu } from '../../../ui/controls/menu.tsx';
import { quietPart } from '../../../ui/layers/part-boundary.tsx';
import { toastError } from '../../../ui/layers/toast.tsx';
import { useAnswerers } from '../answerers.ts';
import { useUpdateSession } from '../queries.ts';

// Not part of the first page. Loaded ahead or on demand.
const ModelMenuItems = quietPart(() => import('./model-menu-items.tsx'), 'ModelMenuItems');

interface ModelMenuProps {
  slug: string;
  session: Session;
  canWrite: boolean;
}

/** Shows and changes who answers `@model` here. */
export function ModelMenu({ slug, session, canWrite }: ModelMenuProps) {
  const update = useUpdateSession(slug, session);
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
      <ModelMenuItems
        projectId={session.projectId}
        chosen={chosen}
        defaultName={agentName(fallback)}
        onChoose={choose}
      />
    </Menu>
  );
}
