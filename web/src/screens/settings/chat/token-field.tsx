import { TextField } from '../../../ui/forms/field.tsx';

const TOKENS = {
  botToken: { label: 'Bot token', hint: { SLACK: 'Starts with xoxb-.', MATTERMOST: undefined } },
  appToken: { label: 'App token', hint: { SLACK: 'Starts with xapp-.', MATTERMOST: undefined } },
  signingSecret: { label: 'Signing secret', hint: { SLACK: undefined, MATTERMOST: undefined } },
};

export type TokenName = keyof typeof TOKENS;
export type Tokens = Record<TokenName, string>;

export const NO_TOKENS: Tokens = { botToken: '', appToken: '', signingSecret: '' };

interface TokenFieldProps {
  name: TokenName;
  provider: 'SLACK' | 'MATTERMOST';
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
