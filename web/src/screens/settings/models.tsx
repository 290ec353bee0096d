import type { Model } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { Boxes, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useModels } from '../../data/queries.ts';
import { keys } from '../../data/query-keys.ts';
import { useItems } from '../../data/use-fetched.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useListFocus } from '../../ui/keys/use-list-focus.ts';
import { Badge } from '../../ui/marks/badge.tsx';
import { cx } from '../../ui/text/cx.ts';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { Card, PageHeader, RoleNote } from '../../ui/pages/page.tsx';
import { Ago } from '../../ui/marks/time.tsx';
import { Cell, HeadCell, NUMBER, RowHead, Table } from '../../ui/pages/table.tsx';
import { MemoryStatusCard } from './memory-status.tsx';
import { AddProviderDialog } from './models/add-dialog.tsx';
import { ProviderCard } from './models/provider-card.tsx';

export function ModelSettings() {
  const { org } = useWorkspace();
  const models = useModels();
  const { refetch } = models;
  // Other screens keep the list for minutes. Results are newer than that.
  useEffect(() => void refetch(), [refetch]);
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Models">
        What answers when you mention it in a session. Write <strong>@</strong> and the name, or{' '}
        <strong>@model</strong> for whoever answers in that session.
      </PageHeader>
      <Card title="Available models">
        <Loading of={models} rows={2} label="Loading models…" />
        {models.data && <ModelTable models={models.data} />}
      </Card>
      {org.role === 'OWNER' ? (
        <Providers hasModel={models.data?.some(({ provider }) => provider !== 'builtin')} />
      ) : (
        <RoleNote>Only owners can add providers of models for the organisation.</RoleNote>
      )}
      <MemoryStatusCard />
      <ServerModels />
    </div>
  );
}

const PROVIDERS: Record<Model['provider'], string> = {
  builtin: 'Built in',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  'openai-compatible': 'OpenAI-compatible',
};

const ORIGINS: Record<Exclude<Model['origin'], 'builtin'>, string> = {
  server: 'This server',
  organisation: 'Your organisation',
};

function Price({ of: { input, output } }: { of: Model['creditsPerMillionTokens'] }) {
  if (input === 0 && output === 0) return 'Free';
  if (input === output) return input.toLocaleString();
  return (
    <>
      <span className="whitespace-nowrap">{input.toLocaleString()} in,</span>{' '}
      <span className="whitespace-nowrap">{output.toLocaleString()} out</span>
    </>
  );
}

/** The providers that owners added. */
function Providers({ hasModel }: { hasModel: boolean | undefined }) {
  const [choosingId, setChoosingId] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const { list, focusList } = useListFocus();
  const providers = useItems(keys.modelProviders, ({ client }, options) =>
    client.models.listProviders(options),
  );
  const isEmpty = providers.data?.length === 0;
  const button = (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add provider
    </Button>
  );
  return (
    <>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-0.5">
          <h2 className="font-semibold">Your organisation’s providers</h2>
          <p className="max-w-prose text-sm text-muted">
            Models that you add with your own key. They answer at once, in this organisation only.
          </p>
        </div>
        {providers.data && !isEmpty && button}
      </header>
      <Loading of={providers} rows={2} label="Loading providers…" />
      <div ref={list} tabIndex={-1} className="flex flex-col gap-6 outline-none">
        {isEmpty && (
          <EmptyState
            icon={Boxes}
            title={hasModel === false ? 'No model yet' : 'No providers yet'}
            action={button}
          >
            Add OpenAI, Anthropic, Ollama or any OpenAI-compatible service.
            {hasModel === false && ' Until then, only @recall answers.'}
          </EmptyState>
        )}
        {providers.data?.map((provider) => (
          <ProviderCard
            key={provider.id}
            provider={provider}
            isChoosing={provider.id === choosingId}
            onChoose={(isChoosing) => setChoosingId(isChoosing ? provider.id : undefined)}
            onDeleted={focusList}
          />
        ))}
      </div>
      {isAdding && (
        <AddProviderDialog
          onClose={() => setAdding(false)}
          onAdded={({ id }) => {
            setChoosingId(id);
            focusList();
          }}
        />
      )}
    </>
  );
}

function ModelTable({ models }: { models: readonly Model[] }) {
  return (
    <Table
      caption="Models that can be mentioned"
      isCaptionHidden
      head={
        <>
          <HeadCell>Mention</HeadCell>
          <HeadCell>Provider and model</HeadCell>
          <HeadCell>Last result</HeadCell>
          <HeadCell className={cx(NUMBER, 'w-28')}>Credits per million tokens</HeadCell>
        </>
      }
    >
      {models.map(({ slug, provider, model, origin, isDefault, lastResult, ...prices }) => (
        <tr key={slug}>
          <RowHead className="min-w-24">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="font-medium wrap-anywhere">@{slug}</span>
              {isDefault && (
                <span className="shrink-0">
                  <Badge tone="accent">Default</Badge>
                </span>
              )}
            </span>
          </RowHead>
          <Cell className="min-w-36">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              {PROVIDERS[provider]}
              {origin !== 'builtin' && <Badge>{ORIGINS[origin]}</Badge>}
            </span>
            <span className="text-muted wrap-anywhere">
              {model ?? 'Quotes matching passages from memory and the session'}
            </span>
          </Cell>
          <Cell className="min-w-28">
            {provider === 'builtin' ? 'Always works' : <LastResult result={lastResult} />}
          </Cell>
          <Cell className={NUMBER}>
            <Price of={prices.creditsPerMillionTokens} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

function LastResult({ result }: { result: Model['lastResult'] }) {
  if (!result) return <span className="text-muted">Not used yet</span>;
  return (
    <span className="flex flex-col items-start gap-1">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {result.error ? <Badge tone="danger">Failed</Badge> : <Badge tone="good">Answered</Badge>}
        <span className="text-note text-muted">
          <Ago at={result.at} />
        </span>
      </span>
      {result.error && <span className="text-note wrap-anywhere">{result.error.message}</span>}
    </span>
  );
}

function ServerModels() {
  return (
    <Card
      title="Models of this server"
      description="Every organisation has these. Whoever runs the server sets them up, and they can’t be changed here."
    >
      <dl className="grid grid-cols-1 gap-x-4 gap-y-1 text-sm sm:grid-cols-[12rem_1fr] [&>dd]:mb-2 sm:[&>dd]:mb-0 [&>dt]:font-mono [&>dt]:text-note">
        <dt>OPENAI_API_KEY</dt>
        <dd>Enables @gpt and @gpt-mini</dd>
        <dt>ANTHROPIC_API_KEY</dt>
        <dd>Enables @claude and @claude-haiku</dd>
        <dt>OLLAMA_BASE_URL</dt>
        <dd>Enables @llama and @qwen from your own Ollama</dd>
        <dt>MODELS_FILE</dt>
        <dd>
          Points to a JSON file with your own models, mentions and prices. The first is the default.
        </dd>
      </dl>
      <p className="text-sm text-muted">
        See <code>docs/operations/models.md</code>. What answers cost is under{' '}
        <Link to="/settings/usage" className="text-accent underline">
          Usage
        </Link>
        .
      </p>
    </Card>
  );
}
