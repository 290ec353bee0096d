import type { ChannelMapping } from '@atrium/sdk';
import { useWorkspace } from '../../data/workspace.tsx';
import { CheckboxField, Options, SelectField } from '../../ui/forms/field.tsx';
import { ANSWERS, DIRECTIONS } from './mapping-words.ts';

export type MappingSettings = Pick<ChannelMapping, 'direction' | 'answers' | 'sharesOrgMemory'>;

interface MappingFieldsProps {
  value: MappingSettings;
  onChange: (value: MappingSettings) => void;
}

/** Which way messages go, whom agents answer, and from what. */
export function MappingFields({ value, onChange }: MappingFieldsProps) {
  const { isAdmin } = useWorkspace();
  return (
    <>
      <SelectField
        label="Messages go"
        value={value.direction}
        onChange={({ target }) =>
          onChange({ ...value, direction: target.value as MappingSettings['direction'] })
        }
        options={Object.entries(DIRECTIONS)}
      />
      <SelectField
        label="Agents answer"
        hint={
          isAdmin
            ? 'Whose mentions in the channel are answered. Other bots never are.'
            : 'Whose mentions in the channel are answered. Only owners and admins can choose everyone, because answers cost credits.'
        }
        value={value.answers}
        onChange={({ target }) =>
          onChange({ ...value, answers: target.value as MappingSettings['answers'] })
        }
      >
        <Options
          of={Object.entries(ANSWERS)}
          disabled={isAdmin || value.answers === 'EVERYONE' ? undefined : 'EVERYONE'}
        />
      </SelectField>
      <CheckboxField
        label="Agents may use the organisation’s memory"
        hint={
          isAdmin
            ? 'Everyone in the channel reads the answers, so they can learn what is in it.'
            : 'Only owners and admins can turn this on, because everyone in the channel reads the answers.'
        }
        disabled={!isAdmin && !value.sharesOrgMemory}
        checked={value.sharesOrgMemory}
        onChange={({ target }) => onChange({ ...value, sharesOrgMemory: target.checked })}
      />
    </>
  );
}
