import type { ChannelConnection } from '@atrium/sdk';
import { CheckboxField } from '../../../ui/forms/field.tsx';
import { PROVIDER_NAMES } from '../../../shared/channel-names.ts';

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
