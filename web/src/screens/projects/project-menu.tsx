import type { Project } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Archive, Ellipsis, Pencil } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Menu, MenuItem } from '../../ui/controls/menu.tsx';
import { toast, toastWithUndo } from '../../ui/layers/toast.tsx';
import { useManages } from '../../data/manages.ts';
import { ProjectDialog, type ProjectValues } from './project-form.tsx';
import { useRestoreProject } from './use-restore-project.ts';

/** Only for people who may change the project. */
export function ProjectMenu({ project }: { project: Project }) {
  const isManager = useManages(project);
  const [open, setOpen] = useState<'edit' | 'archive'>();
  const close = () => setOpen(undefined);
  if (!isManager) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label="Project actions"
            look="plain"
            className="size-10! sm:size-9!"
            icon={Ellipsis}
          />
        }
      >
        <MenuItem icon={Pencil} onSelect={() => setOpen('edit')}>
          Edit project
        </MenuItem>
        <MenuItem icon={Archive} tone="danger" onSelect={() => setOpen('archive')}>
          Archive project
        </MenuItem>
      </Menu>
      {open === 'edit' && <EditProject project={project} onClose={close} />}
      {open === 'archive' && <ArchiveProject project={project} onClose={close} />}
    </>
  );
}

function EditProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const update = useMutation({
    mutationFn: async (values: ProjectValues) => {
      await client.projects.update(project.id, values);
      await queryClient.invalidateQueries({ queryKey: keys.projects(org.id) });
      await queryClient.invalidateQueries({ queryKey: keys.projectMembers(org.id, project.id) });
    },
    onSuccess: () => {
      onClose();
      toast('Project updated');
    },
  });
  return (
    <ProjectDialog
      title="Edit project"
      action="Save changes"
      project={project}
      saving={update}
      onSubmit={(values) => update.mutate(values)}
      onClose={onClose}
    />
  );
}

function ArchiveProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const restore = useRestoreProject();
  return (
    <ConfirmDialog
      title={`Archive ${project.name}?`}
      description="It disappears from everyone’s list and can no longer be changed. Its sessions and memory stay readable through their links. You can restore it later."
      action="Archive project"
      onClose={onClose}
      onConfirm={async () => {
        await client.projects.archive(project.id);
        await navigate({ to: '/' });
        await queryClient.invalidateQueries({ queryKey: keys.projects(org.id) });
        toastWithUndo(`${project.name} archived`, () => restore(project));
      }}
    />
  );
}
