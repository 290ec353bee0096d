import type { Project, Task } from '@atrium/sdk';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  AlarmClock,
  Archive,
  ArchiveRestore,
  ChevronDown,
  ChevronUp,
  Ellipsis,
  GitBranch,
  Link2,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { singleKeys } from '../../../data/device/single-keys.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { buttonClass, IconButton } from '../../../ui/controls/button.tsx';
import { copyText } from '../../../ui/controls/copy-text.ts';
import { Menu, MenuItem } from '../../../ui/controls/menu.tsx';
import { takesLetters } from '../../../ui/keys/takes-keys.ts';
import { closablePart } from '../../../ui/layers/part-boundary.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { ProjectLink } from '../../projects/of-project.tsx';
import { branchName, linkToTask } from '../branch-name.ts';
import { useArchiveTask } from '../changes/mutations.ts';
import { findNeighbours, type Neighbours, type TaskPlace } from '../trail.ts';

const RemindDialog = closablePart(
  () => import('../../../shared/remind-dialog.tsx'),
  'RemindDialog',
);

interface TaskBarProps {
  task: Task;
  project: Project;
}

/** Where the task is, the way to its neighbours, and what can be done with it as a whole. */
export function TaskBar({ task, project }: TaskBarProps) {
  const { org } = useWorkspace();
  const { slug } = project;
  const [neighbours] = useState(() => findNeighbours({ slug, number: String(task.number) }));
  useTaskKeys(neighbours);
  const copyLink = () => void copyText(linkToTask(org.id, slug, task.number), 'Link copied');
  const copyBranch = () => void copyText(branchName(task), `Copied ${branchName(task)}`);
  return (
    <header className="flex min-h-12 shrink-0 items-center gap-1 border-b border-line bg-surface px-2 py-1 sm:px-4">
      <p className="flex min-w-0 flex-1 items-center gap-1.5 text-note text-muted">
        <ProjectLink project={project} />
        <span aria-hidden>/</span>
        <Link
          to="/p/$slug/tasks/board"
          params={{ slug }}
          className="inline-flex min-h-6 shrink-0 items-center hover:text-ink hover:underline"
        >
          Tasks
        </Link>
        <span aria-hidden>/</span>
        <span className="shrink-0">#{task.number}</span>
      </p>
      {neighbours && (
        <nav aria-label="Tasks of the list" className="flex items-center">
          <span className="px-1 text-note text-muted max-sm:hidden">
            {neighbours.nth} of {neighbours.count}
          </span>
          <Neighbour label="Previous task (K)" icon={ChevronUp} to={neighbours.previous} />
          <Neighbour label="Next task (J)" icon={ChevronDown} to={neighbours.next} />
        </nav>
      )}
      <IconButton label="Copy link" icon={Link2} onClick={copyLink} />
      <IconButton
        label="Copy branch name"
        icon={GitBranch}
        onClick={copyBranch}
        className="max-sm:hidden"
      />
      <TaskMenu task={task} canArchive={!project.archivedAt} onCopyBranch={copyBranch} />
    </header>
  );
}

interface NeighbourProps {
  label: string;
  icon: LucideIcon;
  to: TaskPlace | undefined;
}

function Neighbour({ label, icon: Icon, to }: NeighbourProps) {
  const look = cx(buttonClass('quiet', 'small'), 'size-9 px-0! sm:size-8');
  const icon = <Icon aria-hidden className="size-4" />;
  if (!to) {
    return (
      <span aria-hidden className={cx(look, 'opacity-40')}>
        {icon}
      </span>
    );
  }
  return (
    <Link
      to="/p/$slug/t/$number"
      params={{ ...to }}
      aria-label={label}
      data-tooltip={label}
      className={look}
    >
      {icon}
    </Link>
  );
}

/** J and K go through the list, and M leads to where one writes. */
function useTaskKeys(neighbours: Neighbours | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const { key, target, ctrlKey, metaKey, altKey, isComposing } = event;
      if (event.defaultPrevented || ctrlKey || metaKey || altKey || isComposing) return;
      if (!singleKeys.getState() || takesLetters(target)) return;
      if (document.querySelector('dialog[open], [data-picker]')) return;
      const to = key === 'j' ? neighbours?.next : key === 'k' ? neighbours?.previous : undefined;
      if (to) void navigate({ to: '/p/$slug/t/$number', params: { ...to } });
      else if (key === 'm') {
        document.querySelector<HTMLElement>('[data-task-foot] textarea')?.focus();
      } else return;
      event.preventDefault();
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [neighbours, navigate]);
}

interface TaskMenuProps {
  task: Task;
  canArchive: boolean;
  onCopyBranch: () => void;
}

function TaskMenu({ task, canArchive, onCopyBranch }: TaskMenuProps) {
  const { archive, restore } = useArchiveTask(task);
  const [isReminding, setReminding] = useState(false);
  return (
    <>
      <Menu trigger={<IconButton label="Task actions" icon={Ellipsis} iconClass="size-5" />}>
        <MenuItem icon={GitBranch} onSelect={onCopyBranch}>
          Copy branch name
        </MenuItem>
        {canArchive && (
          <>
            <MenuItem icon={AlarmClock} onSelect={() => setReminding(true)}>
              Remind me…
            </MenuItem>
            {task.archivedAt ? (
              <MenuItem icon={ArchiveRestore} onSelect={() => restore.mutate()}>
                Restore task
              </MenuItem>
            ) : (
              <MenuItem icon={Archive} onSelect={() => archive.mutate()}>
                Archive task
              </MenuItem>
            )}
          </>
        )}
      </Menu>
      {isReminding && (
        <RemindDialog about={{ taskId: task.id }} onClose={() => setReminding(false)} />
      )}
    </>
  );
}
