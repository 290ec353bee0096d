import type { Attachment, Task } from '@atrium/sdk';
import { Paperclip, X } from 'lucide-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refetchTasks } from '../../../data/refetch-tasks.ts';
import { places } from '../../../data/uploads/upload.ts';
import { addUploads, useUploadsAt } from '../../../data/uploads/uploads.ts';
import { useOwner, useWorkspace } from '../../../data/workspace.tsx';
import { chooseFiles } from '../../../shared/files/choose-files.ts';
import { FileCard } from '../../../shared/files/file-card.tsx';
import { useOpenFile } from '../../../shared/files/shown-files.ts';
import { UploadItem } from '../../../shared/files/upload-item.tsx';
import { useDrop } from '../../../shared/files/use-drop.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { toastError, toastWithUndo } from '../../../ui/layers/toast.tsx';

/** Adds files to a task, which can be dropped on what it says. */
export function useAddTaskFiles({ id, projectId }: Task, canWrite: boolean) {
  const owner = useOwner();
  const add = (files: File[]) => addUploads(owner, { place: places.task(id), projectId }, files);
  return { add, ...useDrop(add, canWrite) };
}

interface TaskFilesProps {
  task: Task;
  canWrite: boolean;
  /** Some are held above the task. */
  isOver: boolean;
  onFiles: (files: File[]) => void;
}

export function TaskFiles({ task, canWrite, isOver, onFiles }: TaskFilesProps) {
  const open = useOpenFile();
  const uploads = useUploadsAt(places.task(task.id));
  const { attachments } = task;
  const change = useSetFiles(task);
  function remove({ fileId, name }: Attachment) {
    change.mutate((ids) => ids.filter((id) => id !== fileId));
    toastWithUndo(
      `${name} removed from the task`,
      () => change.mutateAsync((ids) => [...ids.filter((id) => id !== fileId), fileId]),
      fileId,
    );
  }
  return (
    <>
      {(attachments.length > 0 || uploads.length > 0) && (
        <section className="flex flex-col gap-2">
          <h2 className="text-sm font-semibold">Files</h2>
          <ul aria-label="Files" className="grid gap-2 sm:grid-cols-2">
            {attachments.map((file) => (
              <li key={file.fileId} className="min-w-0">
                <FileCard
                  file={file}
                  onOpen={() => open(file.fileId, attachments)}
                  actions={
                    canWrite && (
                      <IconButton
                        label={`Remove ${file.name} from the task`}
                        icon={X}
                        onClick={() => remove(file)}
                      />
                    )
                  }
                />
              </li>
            ))}
            {uploads.map((upload) => (
              <UploadItem key={upload.id} upload={upload} />
            ))}
          </ul>
        </section>
      )}
      {canWrite && (
        <Button
          look="quiet"
          size="small"
          icon={Paperclip}
          className="-ms-2 self-start text-muted"
          onClick={() => void chooseFiles().then(onFiles)}
        >
          {isOver ? 'Drop the files to add them' : 'Add files'}
        </Button>
      )}
    </>
  );
}

/** The list is read again first, because somebody else may have added to it. */
function useSetFiles({ projectId, id }: Task) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  return useMutation({
    scope: { id: `task-files.${id}` },
    mutationFn: async (change: (fileIds: string[]) => string[]) => {
      const { attachments } = await client.tasks.get(projectId, id);
      const fileIds = change(attachments.map(({ fileId }) => fileId));
      await client.tasks.setFiles(projectId, id, { fileIds });
      await refetchTasks(queryClient, org.id, projectId);
    },
    onError: toastError,
  });
}
