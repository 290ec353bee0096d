import { TextField } from '../../../ui/forms/field.tsx';
import { KINDS, type ProviderKind } from './kinds.ts';

export interface ProviderValues {
  name: string;
  baseUrl: string;
  apiKey: string;
}

interface ProviderFieldsProps {
  kind: ProviderKind;
  values: ProviderValues;
  problems: Record<string, string>;
  /** True if a key is stored, which an empty field keeps. */
  hasKey?: boolean;
  onChange: (change: Partial<ProviderValues>) => void;
}

export function ProviderFields(props: ProviderFieldsProps) {
  const { kind, values, problems, hasKey = false, onChange } = props;
  const words = KINDS[kind];
  const needsKey = words.needsKey && values.baseUrl.trim() === '';
  return (
    <>
      <TextField
        label={needsKey || hasKey ? 'API key' : 'API key (optional)'}
        hint={hasKey ? 'Stored encrypted. Leave it empty to keep it.' : words.keyHint}
        error={problems['apiKey']}
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={values.apiKey}
        onChange={({ target }) => onChange({ apiKey: target.value })}
      />
      <TextField
        label={words.needsAddress ? 'Address' : 'Address (optional)'}
        hint={words.addressHint}
        error={problems['baseUrl']}
        type="url"
        inputMode="url"
        spellCheck={false}
        placeholder={words.address}
        value={values.baseUrl}
        onChange={({ target }) => onChange({ baseUrl: target.value })}
      />
      <TextField
        label="Name"
        error={problems['name']}
        dir="auto"
        maxLength={120}
        value={values.name}
        onChange={({ target }) => onChange({ name: target.value })}
      />
    </>
  );
}
