import type { Key } from '@atrium/sdk';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/layers/dialog.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { useKeyActions, useKeyList, type KeyFamily, type ShownKey } from './families.ts';
import { hasEnded, KeyRow } from './key-row.tsx';
import { MintDialog, RotateDialog } from './key-dialogs.tsx';
import { SecretDialog } from './secret-dialog.tsx';

type OpenDialog =
  | { what: 'mint' }
  | { what: 'show'; shown: ShownKey }
  | { what: 'rotate' | 'revoke'; key: Key };

/** The keys of one family: list, create, rotate, revoke. */
export function KeySection({ family }: { family: KeyFamily }) {
  const { org } = useWorkspace();
  const [dialog, setDialog] = useState<OpenDialog>();
  const isMine = family === 'v2';
  return (
    <Card
      title={isMine ? 'My keys' : 'Organisation keys (v1 Memory API)'}
      description={
        isMine
          ? `They act as you in ${org.name}, with your role and within their scopes.`
          : `They belong to ${org.name} rather than a person. They read and write its shared memories, never private ones, and keep working after the person who created them leaves.`
      }
      actions={
        <Button look="primary" onClick={() => setDialog({ what: 'mint' })} icon={Plus}>
          {isMine ? 'Create key' : 'Create organisation key'}
        </Button>
      }
    >
      <KeyList family={family} onOpen={setDialog} />
      {dialog && <Dialogs family={family} dialog={dialog} onOpen={setDialog} />}
    </Card>
  );
}

function KeyList({ family, onOpen }: { family: KeyFamily; onOpen: (dialog: OpenDialog) => void }) {
  const list = useKeyList(family);
  const { data } = list;
  if (!data || list.error) return <Loading of={list} rows={2} label="Loading keys…" />;
  const working = data.filter((key) => !hasEnded(key));
  const ended = data.filter(hasEnded);
  const rows = (items: Key[]) =>
    items.map((key) => (
      <KeyRow
        key={key.id}
        apiKey={key}
        family={family}
        onRotate={() => onOpen({ what: 'rotate', key })}
        onRevoke={() => onOpen({ what: 'revoke', key })}
      />
    ));
  return (
    <>
      {working.length > 0 ? (
        <ul className="flex flex-col divide-y divide-line">{rows(working)}</ul>
      ) : (
        <EmptyState icon={KeyRound} title="No keys yet">
          {family === 'v2'
            ? 'Create one to call the API from a script, the TypeScript or Python SDK, or an MCP client.'
            : 'Create one for a program that fills or searches the organisation’s memory, such as a wiki import.'}
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

interface DialogsProps {
  family: KeyFamily;
  dialog: OpenDialog;
  onOpen: (dialog: OpenDialog | undefined) => void;
}

function Dialogs({ family, dialog, onOpen }: DialogsProps) {
  const { revoke } = useKeyActions(family);
  const close = () => onOpen(undefined);
  const show = (shown: ShownKey) => onOpen({ what: 'show', shown });
  if (dialog.what === 'mint') return <MintDialog family={family} onMade={show} onClose={close} />;
  if (dialog.what === 'show') {
    return <SecretDialog family={family} shown={dialog.shown} onClose={close} />;
  }
  const { key } = dialog;
  if (dialog.what === 'rotate') {
    return <RotateDialog family={family} apiKey={key} onMade={show} onClose={close} />;
  }
  return (
    <ConfirmDialog
      title={`Revoke “${key.name}”?`}
      description="Requests with this key are refused from now on. You can’t undo this. To replace a key without an interruption, rotate it instead."
      action="Revoke key"
      onConfirm={async () => {
        await revoke(key.id);
        toast(`Key “${key.name}” revoked`);
      }}
      onClose={close}
    />
  );
}
