import type { Key } from '@atrium/sdk';
import { Ban, RefreshCw } from 'lucide-react';
import { Badge } from '../../../ui/marks/badge.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Ago, Day } from '../../../ui/marks/time.tsx';
import type { KeyFamily } from './families.ts';
import { scopesInWords } from './scopes.ts';

/** Revoked or expired. */
export function hasEnded({ revokedAt, expiresAt }: Key): boolean {
  return revokedAt !== null || (expiresAt !== null && new Date(expiresAt).getTime() <= Date.now());
}

interface KeyRowProps {
  apiKey: Key;
  family: KeyFamily;
  onRotate: () => void;
  onRevoke: () => void;
}

export function KeyRow({ apiKey, family, onRotate, onRevoke }: KeyRowProps) {
  const { name, prefix, scopes, createdAt, lastUsedAt, expiresAt } = apiKey;
  const isOver = hasEnded(apiKey);
  const isReplaced = !isOver && expiresAt !== null;
  return (
    <li className="flex flex-col gap-3 py-4 first:pt-0 last:pb-0 sm:flex-row sm:items-start sm:justify-between">
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <h3 dir="auto" className="min-w-0 font-medium wrap-anywhere">
            {name}
          </h3>
          <State apiKey={apiKey} />
        </div>
        <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-note text-muted">
          <span className="font-mono">{prefix}…</span>
          <span>
            Created <Day at={createdAt} />
          </span>
          {lastUsedAt ? (
            <span>
              Last used <Ago at={lastUsedAt} />
            </span>
          ) : (
            <span>Never used</span>
          )}
        </p>
        <p className="text-note text-muted">
          <span className="sr-only">Scopes: </span>
          {scopesInWords(scopes, family)}
        </p>
      </div>
      {!isOver && (
        <div className="flex shrink-0 gap-2">
          {!isReplaced && (
            <Button size="small" aria-label={`Rotate ${name}`} onClick={onRotate} icon={RefreshCw}>
              Rotate
            </Button>
          )}
          <Button size="small" aria-label={`Revoke ${name}`} onClick={onRevoke} icon={Ban}>
            Revoke
          </Button>
        </div>
      )}
    </li>
  );
}

function State({ apiKey }: { apiKey: Key }) {
  const { revokedAt, expiresAt } = apiKey;
  if (revokedAt !== null) {
    return (
      <Badge tone="danger">
        Revoked <Ago at={revokedAt} />
      </Badge>
    );
  }
  if (expiresAt === null) return null;
  return (
    <Badge tone="warn">
      {hasEnded(apiKey) ? 'Replaced, expired ' : 'Replaced, expires '}
      <Ago at={expiresAt} />
    </Badge>
  );
}
