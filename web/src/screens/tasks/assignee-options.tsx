import { useAssigneeName, useAssignees } from './assignees.ts';

/** The options of a select of assignees, with the chosen one even if it is no longer available. */
export function AssigneeOptions({ projectId, value }: { projectId: string; value: string }) {
  const { people, agents } = useAssignees(projectId);
  const nameOf = useAssigneeName();
  const isListed = [...people, ...agents].some((one) => one.value === value);
  return (
    <>
      {value !== '' && value !== 'me' && !isListed && (
        <option value={value}>{nameOf(value)}</option>
      )}
      <optgroup label="People">
        {people.map((one) => (
          <option key={one.value} value={one.value}>
            {one.name}
          </option>
        ))}
      </optgroup>
      <optgroup label="Agents and models">
        {agents.map((one) => (
          <option key={one.value} value={one.value}>
            {one.name}
          </option>
        ))}
      </optgroup>
    </>
  );
}
