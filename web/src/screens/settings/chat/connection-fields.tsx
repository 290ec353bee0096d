import type { ChannelConnection } from '@atrium/sdk';
import { CheckboxField, TextField } from '../../../ui/forms/field.tsx';
import { PROVIDER_NAMES } from '../../../shared/channel-names.ts';

const TOKENS = {
  botToken: { label: 'Bot token', hint: { SLACK: 'Starts with xoxb-.', MATTERMOST: undefined } },
  appToken: { label: 'App token', hint: { SLACK: 'Starts with xapp-.', MATTERMOST: undefined } },
  signingSecret: { label: 'Signing secret', hint: { SLACK: undefined, MATTERMOST: undefined } },
};

type TokenName = keyof typeof TOKENS;
export type Tokens = Record<TokenName, string>;

export const NO_TOKENS: Tokens = { botToken: '', appToken: '', signingSecret: '' };

interface TokenFieldProps {
  name: TokenName;
  provider: ChannelConnection['provider'];
  /** It is stored already, and stays as it is if nothing is entered. */
  isStored?: boolean;
  tokens: Tokens;
  problems: Record<string, string>;
  onChange: (tokens: Tokens) => void;
}

/** A secret of a connection. Once it is stored, nobody can read it here again. */
export function TokenField(props: TokenFieldProps) {
  const { name, provider, isStored = false, tokens, problems, onChange } = props;
  const { label, hint } = TOKENS[name];
  return (
    <TextField
      label={label}
      hint={isStored ? 'Stored encrypted. Leave this empty to keep it.' : hint[provider]}
      error={problems[name]}
      type="password"
      autoComplete="off"
      spellCheck={false}
      maxLength={1_000}
      value={tokens[name]}
      onChange={({ target }) => onChange({ ...tokens, [name]: target.value.trim() })}
    />
  );
}

interface TrustFieldProps {
  provider: ChannelConnection['provider'];
  value: boolean;
  onChange: (value: boolean) => void;
}

/** Whoever has a member's address there acts as that member here. */
export function TrustField({ provider, value, onChange }: TrustFieldProps) {
  const name = PROVIDER_NAMES[provider];
  return (
    <CheckboxField
      label="Trust email addresses that aren’t verified"
      hint={`People are recognised as members by their email address in ${name}. Turn this on only if nobody can choose their own address there. Otherwise people could write as someone else.`}
      checked={value}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}
