import { AtriumError, type McpServer } from '@atrium/sdk';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { fieldErrors, FormDialog } from '../../../ui/forms/form.tsx';
import { AUTH_OPTIONS, AUTH_TYPES, type AuthType } from './auth-types.ts';
import { proposeSlug } from './propose-slug.ts';

interface AddProps {
  onClose: () => void;
  onAdded: (server: McpServer) => void;
}

export function AddIntegrationDialog({ onClose, onAdded }: AddProps) {
  const [displayName, setDisplayName] = useState('');
  // Follows the name until the person types their own.
  const [ownSlug, setOwnSlug] = useState<string>();
  const [endpointUrl, setEndpointUrl] = useState('');
  const [authType, setAuthType] = useState<AuthType>('NONE');
  const [secret, setSecret] = useState('');
  const mentionSlug = ownSlug ?? proposeSlug(displayName);
  const adding = useChange({
    // Takes no argument, because the cache keeps what is passed to a mutation, and this has a secret.
    send: ({ client }) => {
      const server = { displayName, mentionSlug, endpointUrl: endpointUrl.trim(), authType };
      return client.mcp.create(authType === 'NONE' ? server : { ...server, secret });
    },
    refetch: keys.integrations,
    onDone: (server) => {
      onClose();
      onAdded(server);
    },
  });
  const problems = problemsOf(adding.error);
  const secretField = AUTH_TYPES[authType].secret;
  return (
    <FormDialog
      title="Add MCP server"
      description="Models can use its tools when someone mentions it in a session."
      action="Add and test server"
      saving={adding}
      problems={problems}
      noValidate
      autoComplete="off"
      onSubmit={() => adding.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoFocus
        dir="auto"
        maxLength={120}
        placeholder="Issue tracker"
        error={problems['displayName']}
        value={displayName}
        onChange={({ target }) => setDisplayName(target.value)}
      />
      <TextField
        label="Mention"
        hint={
          <>
            People mention it as{' '}
            <strong className="wrap-anywhere text-ink">@{mentionSlug || '…'}</strong>
          </>
        }
        error={problems['mentionSlug']}
        maxLength={40}
        spellCheck={false}
        autoCapitalize="none"
        placeholder="tracker"
        value={mentionSlug}
        onChange={({ target }) => setOwnSlug(target.value.toLowerCase().replace(/^@/, ''))}
      />
      <TextField
        label="Address"
        hint="Its Streamable HTTP endpoint. It must use https and a public address."
        error={problems['endpointUrl']}
        type="url"
        inputMode="url"
        spellCheck={false}
        placeholder="https://mcp.example.com/mcp"
        value={endpointUrl}
        onChange={({ target }) => setEndpointUrl(target.value)}
      />
      <SelectField
        label="Authentication"
        value={authType}
        onChange={(type) => {
          setAuthType(type);
          setSecret('');
        }}
        options={AUTH_OPTIONS}
      />
      {secretField && (
        <TextField
          label={secretField.label}
          hint={secretField.hint}
          error={problems['secret']}
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={secret}
          onChange={({ target }) => setSecret(target.value)}
        />
      )}
    </FormDialog>
  );
}

/** What is wrong with each field. */
function problemsOf(error: unknown): Record<string, string> {
  if (error instanceof AtriumError && error.reason === 'slug_taken') {
    return {
      mentionSlug:
        'This mention is already taken by a model, an agent or another integration. Choose another one.',
    };
  }
  return fieldErrors(error);
}
