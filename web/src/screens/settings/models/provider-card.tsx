import type { ModelProviderTest, OrgModelProvider } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ListChecks, Pencil, PlugZap, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAgents } from '../../../data/queries.ts';
import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/layers/dialog.tsx';
import { Badge } from '../../../ui/marks/badge.tsx';
import { Ago } from '../../../ui/marks/time.tsx';
import { Fact, Facts, LastError } from '../../../ui/pages/facts.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { TestBox } from '../test-box.tsx';
import { EditProviderDialog } from './edit-dialog.tsx';
import { KINDS } from './kinds.ts';
import { ModelsDialog } from './models-dialog.tsx';
import { priceInWords } from './price.ts';

interface ProviderCardProps {
  provider: OrgModelProvider;
  /** Whether its models are being chosen. The page opens this for a provider that was just added. */
  isChoosing: boolean;
  onChoose: (isChoosing: boolean) => void;
  onDeleted: () => void;
}

export function ProviderCard({ provider, isChoosing, onChoose, onDeleted }: ProviderCardProps) {
  const { id, name, kind, isEnabled, models } = provider;
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = () => setOpen(undefined);
  const refetchList = () => queryClient.invalidateQueries({ queryKey: keys.models(org.id) });
  const testing = useMutation({
    mutationFn: () => client.models.testProvider(id),
    onSettled: refetchList,
  });
  const switching = useChange({
    send: (from) => from.client.models.updateProvider(id, { isEnabled: !isEnabled }),
    refetch: keys.models,
  });
  return (
    <Card
      title={name}
      description={
        <span className="flex flex-wrap items-center gap-2">
          {KINDS[kind].name}
          {!isEnabled && <Badge>Disabled</Badge>}
        </span>
      }
      actions={
        <>
          <Button size="small" icon={ListChecks} onClick={() => onChoose(true)}>
            Choose models
          </Button>
          <Button
            size="small"
            icon={PlugZap}
            isBusy={testing.isPending}
            onClick={() => testing.mutate()}
          >
            Test
          </Button>
          <Button size="small" icon={Pencil} onClick={() => setOpen('edit')}>
            Edit
          </Button>
          <Button
            size="small"
            icon={Power}
            isBusy={switching.isPending}
            onClick={() => switching.mutate()}
          >
            {isEnabled ? 'Disable' : 'Enable'}
          </Button>
          <Button size="small" look="quiet-danger" icon={Trash2} onClick={() => setOpen('delete')}>
            Delete
          </Button>
        </>
      }
    >
      <ProviderFacts provider={provider} />
      <div role="status">
        {testing.data && !testing.isPending && <TestResult result={testing.data} />}
      </div>
      {testing.error && <ErrorNote error={testing.error} />}
      {switching.error && <ErrorNote error={switching.error} />}
      {isChoosing && <ModelsDialog provider={provider} onClose={() => onChoose(false)} />}
      {open === 'edit' && <EditProviderDialog provider={provider} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          description={<Consequences slugs={models.map(({ slug }) => slug)} />}
          action="Delete provider"
          onConfirm={async () => {
            await client.models.deleteProvider(id);
            await refetchList();
            onDeleted();
          }}
          onClose={close}
        />
      )}
    </Card>
  );
}

/** Who loses their model. */
function Consequences({ slugs }: { slugs: readonly string[] }) {
  const { data: agents = [] } = useAgents();
  const users = agents.filter(({ model }) => model !== null && slugs.includes(model));
  return (
    <>
      The stored key is erased
      {slugs.length > 0 &&
        `, and ${slugs.map((slug) => `@${slug}`).join(', ')} no longer ${slugs.length === 1 ? 'answers' : 'answer'}`}
      .
      {users.length > 0 && (
        <strong className="text-ink">
          {' '}
          {users.map(({ slug }) => `@${slug}`).join(', ')} {users.length === 1 ? 'uses' : 'use'} it
          and can’t answer until you choose another model.
        </strong>
      )}{' '}
      Messages stay. To pause it instead, disable it.
    </>
  );
}

function ProviderFacts({ provider }: { provider: OrgModelProvider }) {
  const { baseUrl, hasKey, models, lastTestedAt, lastError } = provider;
  return (
    <Facts>
      <Fact name="Models">
        {models.length === 0 ? (
          'None yet. Choose which ones people can mention.'
        ) : (
          <ul className="flex flex-col gap-1">
            {models.map((model) => (
              <li key={model.slug} className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-medium wrap-anywhere">@{model.slug}</span>
                <span className="text-note text-muted wrap-anywhere">
                  {model.model}, {priceInWords(model.creditsPerMillionTokens)}
                </span>
                {model.isOverridden && (
                  <Badge tone="danger">Replaced by a model of the server</Badge>
                )}
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name="Address" title={baseUrl} className="font-mono text-note wrap-anywhere">
        {baseUrl}
      </Fact>
      <Fact name="Key">{hasKey ? 'Stored encrypted' : 'None'}</Fact>
      <Fact name="Last tested">{lastTestedAt ? <Ago at={lastTestedAt} /> : 'Never'}</Fact>
      <LastError text={lastError} />
    </Facts>
  );
}

const TITLES: Record<string, string> = {
  provider_error: 'The provider refused, or can’t be reached.',
  rate_limited: 'The provider accepts no more requests for now.',
  timeout: 'The provider took too long.',
  empty_answer: 'The model answered nothing.',
  refused: 'The model declined to answer.',
};

/** What the model answered, or why it didn't. */
function TestResult({ result }: { result: ModelProviderTest }) {
  return (
    <TestBox result={result} titles={TITLES}>
      {result.ok && (
        <div className="flex min-w-0 flex-col gap-1">
          <p className="font-medium wrap-anywhere">
            {result.model === null
              ? `It works, and offers ${(result.offeredModels ?? 0).toLocaleString()} models. Choose some.`
              : `${result.model} answered in ${result.latencyMs.toLocaleString()} ms`}
          </p>
          {result.answer !== null && (
            <blockquote dir="auto" className="wrap-anywhere">
              “{result.answer}”
            </blockquote>
          )}
        </div>
      )}
    </TestBox>
  );
}
