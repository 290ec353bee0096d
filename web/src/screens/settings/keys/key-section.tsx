import type { Key } from '@atrium/sdk';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Card } from '../../../ui/page.tsx';
import { SkeletonList } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useKeyActions, useKeyList, type KeyFamily, type ShownKey } from './families.ts';
import { hasEnded, KeyRow } from './key-row.tsx';
import { MintDialog } from './mint-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';

type Doing =
  | { what: 'mint' }
  | { what: 'show'; shown: ShownKey }
  | { what: 'rotate' | 'revoke'; key: Key };

/** The keys of one family: list, mint, rotate, revoke. */
export function KeySection({ family }: { family: KeyFamily }) {
  const { org } = useWorkspace();
  const [doing, setDoing] = useState<Doing>();
  const isMine = family === 'v2';
  return (
    <Card
      title={isMine ? 'My keys' : 'Organisation keys (v1 Memory API)'}
      description={
        isMine
          ? `They act as you in ${org.name}, with your role, and only within their scopes.`
          : `They stand for ${org.name} and not for a person: they read and write its shared memories, never anybody’s private ones, and keep working when the person who made them leaves.`
      }
      actions={
        <Button look="primary" onClick={() => setDoing({ what: 'mint' })}>
          <Plus aria-hidden className="size-4" />
          {isMine ? 'New key' : 'New organisation key'}
        </Button>
      }
    >
      <KeyList family={family} onDo={setDoing} />
      {doing && <Doings family={family} doing={doing} onDo={setDoing} />}
    </Card>
  );
}

function KeyList({ family, onDo }: { family: KeyFamily; onDo: (doing: Doing) => void }) {
  const { data, error, refetch } = useKeyList(family);
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonList rows={2} label="Loading keys…" />;
  const working = data.filter((key) => !hasEnded(key));
  const ended = data.filter(hasEnded);
  const rows = (items: Key[]) =>
    items.map((key) => (
      <KeyRow
        key={key.id}
        apiKey={key}
        family={family}
        onRotate={() => onDo({ what: 'rotate', key })}
        onRevoke={() => onDo({ what: 'revoke', key })}
      />
    ));
  return (
    <>
      {working.length > 0 ? (
        <ul className="flex flex-col divide-y divide-line">{rows(working)}</ul>
      ) : (
        <EmptyState icon={<KeyRound className="size-8" />} title="No key yet">
          {family === 'v2'
            ? 'Make one to call the API from a script, the TypeScript or Python SDK, or an MCP client.'
            : 'Make one for a program that fills or searches the organisation’s memory, such as a wiki import.'}
        </EmptyState>
      )}
      {ended.length > 0 && (
        <details>
          <summary className="inline-flex min-h-8 items-center text-sm text-muted">
            Keys that no longer work ({ended.length})
          </summary>
          <ul className="flex flex-col divide-y divide-line">{rows(ended)}</ul>
        </details>
      )}
    </>
  );
}

interface DoingsProps {
  family: KeyFamily;
  doing: Doing;
  onDo: (doing: Doing | undefined) => void;
}

function Doings({ family, doing, onDo }: DoingsProps) {
  const { revoke } = useKeyActions(family);
  const close = () => onDo(undefined);
  const show = (shown: ShownKey) => onDo({ what: 'show', shown });
  if (doing.what === 'mint') return <MintDialog family={family} onMinted={show} onClose={close} />;
  if (doing.what === 'show') {
    return <SecretDialog family={family} shown={doing.shown} onClose={close} />;
  }
  const { key } = doing;
  if (doing.what === 'rotate') {
    return <RotateDialog family={family} apiKey={key} onRotated={show} onClose={close} />;
  }
  return (
    <ConfirmDialog
      title={`Revoke “${key.name}”?`}
      description="Whatever uses this key is refused from its next request on. This cannot be taken back; to change a key without a break, rotate it."
      action="Revoke key"
      onConfirm={async () => {
        await revoke(key.id);
        toast(`“${key.name}” is revoked.`);
      }}
      onClose={close}
    />
  );
}
