import { useState } from 'react';
import { useProjects } from '../../../data/queries.ts';
import { Dialog } from '../../../ui/layers/dialog.tsx';
import { SelectField } from '../../../ui/forms/field.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { NoProjectDialog } from '../../projects/no-project-dialog.tsx';
import type { NewTaskStart } from '../../../shared/shell-actions.ts';
import { QuickEntry } from './quick-entry.tsx';
import { STATUSES, type Status } from '../statuses.ts';
import { STATUS } from '../task-words.ts';

export function NewTaskDialog({ start, onClose }: { start: NewTaskStart; onClose: () => void }) {
  const { data: projects } = useProjects();
  const [chosen, setChosen] = useState(start.slug);
  const [status, setStatus] = useState(start.status ?? 'TODO');
  const project = projects?.find(({ slug }) => slug === chosen) ?? projects?.[0];
  const { sourceMessageId } = start;
  const fields = project && {
    projectId: project.id,
    status,
    ...(sourceMessageId && { sourceMessageId }),
  };
  if (projects?.length === 0) return <NoProjectDialog what="task" onClose={onClose} />;
  return (
    <Dialog title={sourceMessageId ? 'Make a task' : 'New task'} onClose={onClose}>
      <QuickEntry
        label="Title"
        fields={fields}
        initial={start.title ?? ''}
        onCreated={(count) => {
          toast(count === 1 ? 'Task created' : `${count} tasks created`);
          onClose();
        }}
      >
        <div className="grid gap-3 sm:grid-cols-2">
          {!sourceMessageId && (
            <SelectField
              label="Project"
              value={project?.slug ?? ''}
              onChange={({ target }) => setChosen(target.value)}
              options={projects?.map(({ slug, name }) => [slug, name]) ?? []}
            />
          )}
          <SelectField
            label="Status"
            value={status}
            onChange={({ target }) => setStatus(target.value as Status)}
            options={STATUSES.map((one) => [one, STATUS[one]])}
          />
        </div>
      </QuickEntry>
    </Dialog>
  );
}
