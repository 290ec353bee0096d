import { ChevronDown } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { Menu } from '../../../ui/controls/menu.tsx';
import { quietPart } from '../../../ui/layers/part-boundary.tsx';
import { AgentAvatar } from '../../../ui/marks/avatar.tsx';
import { toastError } from '../../../ui/layers/toast.tsx';
import { useAnswerers } from '../answerers.ts';
import { useUpdateSession } from '../queries.ts';
import { useSession } from '../session-context.ts';

// Not part of the first page. Loaded ahead or on demand.
const ModelMenuItems = quietPart(() => import('./model-menu-items.tsx'), 'ModelMenuItems');

/** Shows and changes who answers `@model` here. */
export function ModelMenu() {
  const { session, canWrite } = useSession();
  const update = useUpdateSession();
  const { fallback, agentName } = useAnswerers();
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
          <AgentAvatar slug={chosen ?? fallback} size="tiny" />
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
