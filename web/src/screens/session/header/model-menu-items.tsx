import { Check } from 'lucide-react';
import { useAgentsIn, useModels } from '../../../data/queries.ts';
import { MenuItem, MenuLabel, MenuSeparator } from '../../../ui/controls/menu.tsx';
import { countOf } from '../../../ui/text/count-of.ts';

interface ModelMenuItemsProps {
  projectId: string;
  /** Null: the default. */
  chosen: string | null;
  /** The name of whoever answers by default. */
  defaultName: string;
  onChoose: (model: string | null) => void;
}

/** Everyone who can answer `@model`. */
export function ModelMenuItems({ projectId, chosen, defaultName, onChoose }: ModelMenuItemsProps) {
  const { data: models } = useModels();
  const agents = useAgentsIn(projectId);
  return (
    <>
      <MenuLabel>Who answers @model in this session</MenuLabel>
      <MenuItem onSelect={() => onChoose(null)}>
        <Mark isOn={chosen === null} />
        Default ({defaultName})
      </MenuItem>
      {agents.length > 0 && <MenuSeparator />}
      {agents.map((agent) => (
        <MenuItem key={agent.id} onSelect={() => onChoose(agent.slug)}>
          <Mark isOn={chosen === agent.slug} />
          <bdi className="min-w-0 wrap-anywhere">{agent.name}</bdi>
          <span className="ml-auto pl-3 text-xs text-muted">@{agent.slug}</span>
        </MenuItem>
      ))}
      <MenuSeparator />
      {models?.map((model) => (
        <MenuItem key={model.slug} onSelect={() => onChoose(model.slug)}>
          <Mark isOn={chosen === model.slug} />
          <span className="min-w-0 wrap-anywhere">{model.slug}</span>
          <span className="ml-auto pl-3 text-xs text-muted">{price(model.creditsPer1kTokens)}</span>
        </MenuItem>
      ))}
    </>
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
  return credits === 0 ? 'free' : `${countOf(credits, 'credit')} per 1,000 tokens`;
}
