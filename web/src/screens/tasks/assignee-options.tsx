import { useAssigneeName, useAssignees } from './assignees.ts';
import { Options } from '../../ui/forms/field.tsx';

/** The options of a select of assignees, with the chosen one even if it is no longer available. */
export function AssigneeOptions({ projectId, value }: { projectId: string; value: string }) {
  const { people, agents } = useAssignees(projectId);
  const nameOf = useAssigneeName();
  const isListed = [...people, ...agents].some(([one]) => one === value);
  return (
    <>
      {value !== '' && value !== 'me' && !isListed && (
        <option value={value}>{nameOf(value)}</option>
      )}
      <optgroup label="People">
        <Options of={people} />
      </optgroup>
      <optgroup label="Agents and models">
        <Options of={agents} />
      </optgroup>
    </>
  );
}
