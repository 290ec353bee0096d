import type { Model } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useModels } from '../../data/queries.ts';
import { Badge } from '../../ui/marks/badge.tsx';
import { cx } from '../../ui/text/cx.ts';
import { Loading } from '../../ui/states/loading.tsx';
import { Card, PageHeader } from '../../ui/pages/page.tsx';
import { Ago } from '../../ui/marks/time.tsx';
import { Cell, HeadCell, NUMBER, RowHead, Table } from '../../ui/pages/table.tsx';
import { MemoryStatusCard } from './memory-status.tsx';

export function ModelSettings() {
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
      <MemoryStatusCard />
      <MoreModels />
    </div>
  );
}

const PROVIDERS: Record<Model['provider'], string> = {
  builtin: 'Built in',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  'openai-compatible': 'OpenAI-compatible',
};

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
          <HeadCell className={cx(NUMBER, 'w-28')}>Credits per 1,000 tokens</HeadCell>
        </>
      }
    >
      {models.map(({ slug, provider, model, creditsPer1kTokens, isDefault, lastResult }) => (
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
          <Cell>
            <span className="block">{PROVIDERS[provider]}</span>
            <span className="text-muted wrap-anywhere">
              {model ?? 'Quotes matching passages from memory and the session'}
            </span>
          </Cell>
          <Cell>
            {provider === 'builtin' ? 'Always works' : <LastResult result={lastResult} />}
          </Cell>
          <Cell className={NUMBER}>
            {creditsPer1kTokens === 0 ? 'Free' : creditsPer1kTokens.toLocaleString()}
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

function MoreModels() {
  return (
    <Card
      title="Adding models"
      description="Models belong to the server, not the organisation. Whoever runs the server adds them and restarts it."
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
