import type { ChannelMapping } from '@atrium/sdk';
import { useWorkspace } from '../../data/workspace.tsx';
import { CheckboxField } from '../../ui/forms/field.tsx';
import { optionsOf } from '../../ui/pickers/picker-option.ts';
import { SelectField } from '../../ui/forms/select-field.tsx';
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
        onChange={(direction) => onChange({ ...value, direction })}
        options={optionsOf(DIRECTIONS)}
      />
      <SelectField
        label="Agents answer"
        hint={
          isAdmin
            ? 'Whose mentions in the channel are answered. Other bots never are.'
            : 'Whose mentions in the channel are answered. Only owners and admins can choose everyone, because answers cost credits.'
        }
        value={value.answers}
        onChange={(answers) => onChange({ ...value, answers })}
        options={optionsOf(ANSWERS).map((option) => ({
          ...option,
          isDisabled: option.value === 'EVERYONE' && !isAdmin && value.answers !== 'EVERYONE',
        }))}
      />
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
