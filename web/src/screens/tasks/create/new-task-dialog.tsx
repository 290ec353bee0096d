import type { Project } from '@atrium/sdk';
import { FolderKanban } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useProjects } from '../../../data/queries.ts';
import { useOwner } from '../../../data/workspace.tsx';
import type { NewTaskStart } from '../../../shared/shell-actions.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CheckboxField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { Dialog } from '../../../ui/layers/dialog.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { Picker } from '../../../ui/pickers/picker.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { NoProjectDialog } from '../../projects/no-project-dialog.tsx';
import { useAutoHeight } from '../../session/composer/use-auto-height.ts';
import { assignTo } from '../assignees.ts';
import type { NewTasks } from '../changes/mutations.ts';
import { DraftPickers, useDraftKeys, type PickerName } from './draft-pickers.tsx';
import { EMPTY_DRAFT, keepTaskDraft, readTaskDraft, type TaskDraft } from './task-draft.ts';
import { useTitles } from './use-titles.ts';

interface NewTaskDialogProps {
  start: NewTaskStart;
  onClose: () => void;
}

export function NewTaskDialog(props: NewTaskDialogProps) {
  const { data: projects } = useProjects();
  if (projects?.length === 0) return <NoProjectDialog what="task" onClose={props.onClose} />;
  return <TaskDialog {...props} projects={projects ?? []} />;
}

/** Asks for everything: the title first, and the rest by keys. What was begun is there again if it is closed. */
function TaskDialog({ start, onClose, projects }: NewTaskDialogProps & { projects: Project[] }) {
  const { sourceMessageId } = start;
  const owner = useOwner();
  const [isKept] = useState(() => sourceMessageId === undefined && start.title === undefined);
  const [begun] = useState(() => (isKept ? readTaskDraft(owner) : undefined));
  const [draft, setDraft] = useState(() => startWith(start, begun));
  const change = (changes: Partial<TaskDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const [isMore, setMore] = useState(false);
  const [created, setCreated] = useState('');
  const [open, setOpen] = useState<PickerName>();
  useDraftKeys(setOpen);
  const project = projects.find(({ slug }) => slug === draft.slug) ?? projects[0];
  const titles = useTitles(project && fieldsOf(draft, project, sourceMessageId), draft.title);
  const { text } = titles;
  useEffect(() => {
    if (isKept) keepTaskDraft(owner, { ...draft, title: text });
  }, [isKept, owner, draft, text]);
  const title = useRef<HTMLTextAreaElement>(null);
  const description = useRef<HTMLTextAreaElement>(null);
  // Before the dialog is open, nothing in it has a height.
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(true), []);
  useAutoHeight(title, isShown ? text : '');
  useAutoHeight(description, isShown ? draft.description : '');

  function submit() {
    titles.submit((numbers) => {
      change({ description: '' });
      const words = createdInWords(numbers);
      if (!isMore) {
        toast(words);
        // The effect that keeps the draft doesn't run any more.
        if (isKept) keepTaskDraft(owner, EMPTY_DRAFT);
        onClose();
        return;
      }
      setCreated(words);
      title.current?.focus();
    });
  }
  function handleKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  }
  return (
    <Dialog title={sourceMessageId ? 'Make a task' : 'New task'} width="wide" onClose={onClose}>
      <Form className="flex flex-col gap-3" onSubmit={submit} onKeyDown={handleKey}>
        <textarea
          ref={title}
          aria-label="Title"
          aria-invalid={titles.problem ? true : undefined}
          aria-describedby={titles.problem && 'new-task-problem'}
          placeholder="Title, or several lines for several tasks"
          dir="auto"
          rows={1}
          className="block max-h-40 min-h-7 w-full resize-none bg-transparent text-lg font-semibold outline-none placeholder:font-normal placeholder:text-muted"
          value={text}
          readOnly={titles.isPending}
          onChange={({ target }) => titles.setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            if (event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            submit();
          }}
        />
        {titles.problem && (
          <p id="new-task-problem" role="alert" className="text-note text-danger">
            {titles.problem}
          </p>
        )}
        <textarea
          ref={description}
          aria-label="Description"
          placeholder="Add a description… (Markdown)"
          dir="auto"
          rows={2}
          maxLength={20_000}
          className="block max-h-60 min-h-14 w-full resize-none bg-transparent text-sm outline-none placeholder:text-muted"
          value={draft.description}
          readOnly={titles.isPending}
          onChange={({ target }) => change({ description: target.value })}
        />
        <div className="flex flex-wrap gap-1.5">
          {!sourceMessageId && (
            <Picker
              label="Project"
              look="chip"
              value={project?.slug ?? ''}
              options={projects.map(({ slug, name }) => ({ value: slug, name, icon: FOLDER }))}
              // Another project has other people and agents.
              onChange={(slug) => change({ slug, assignee: '' })}
            />
          )}
          {project && (
            <DraftPickers projectId={project.id} {...{ draft, change, open, onOpen: setOpen }} />
          )}
        </div>
        {titles.error && <ErrorNote error={titles.error} />}
        <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t border-line pt-3">
          <p role="status" className="mr-auto text-note text-muted">
            {created || (begun && 'This is what you began before.')}
          </p>
          {!sourceMessageId && (
            <CheckboxField
              label="Create more"
              checked={isMore}
              onChange={({ target }) => setMore(target.checked)}
            />
          )}
          <Button
            type="submit"
            look="primary"
            isBusy={titles.isPending}
            disabled={!titles.canCreate}
          >
            {titles.count > 1 ? `Create ${titles.count} tasks` : 'Create task'}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

const FOLDER = <FolderKanban className="size-4 text-muted" />;

function startWith(start: NewTaskStart, begun: TaskDraft | undefined): TaskDraft {
  const { slug, status, title } = start;
  const draft = begun ?? { ...EMPTY_DRAFT, slug };
  return { ...draft, ...(status && { status }), ...(title !== undefined && { title }) };
}

function fieldsOf(
  { description, status, priority, assignee, labels, dueOn }: TaskDraft,
  { id: projectId }: Project,
  sourceMessageId: string | undefined,
): Omit<NewTasks, 'titles'> {
  const { assigneeUserId, assigneeAgent } = assignTo(assignee);
  return {
    projectId,
    status,
    ...(description.trim() !== '' && { description }),
    ...(priority !== 'NONE' && { priority }),
    ...(assigneeUserId && { assigneeUserId }),
    ...(assigneeAgent && { assigneeAgent }),
    ...(labels.length > 0 && { labels }),
    ...(dueOn && { dueOn }),
    ...(sourceMessageId && { sourceMessageId }),
  };
}

function createdInWords(numbers: readonly number[]): string {
  const [number] = numbers;
  return numbers.length === 1 ? `Task #${number} created` : `${numbers.length} tasks created`;
}
