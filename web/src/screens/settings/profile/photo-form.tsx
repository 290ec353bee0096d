import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ImageUp, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { refetchMember } from '../../../data/people.ts';
import { usePeople } from '../../../data/queries.ts';
import { keys } from '../../../data/query-keys.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Avatar } from '../../../ui/marks/avatar.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { cropPhoto } from './crop-photo.ts';

export function PhotoForm() {
  const workspace = useWorkspace();
  const { client, org, profile } = workspace;
  const queryClient = useQueryClient();
  const { photo } = usePeople()(profile.userId);
  const input = useRef<HTMLInputElement>(null);
  const save = useMutation({
    mutationFn: async (file: File | null) => {
      const cropped = file && (await cropPhoto(file));
      if (file && !cropped)
        throw new Error('This file isn’t a picture that your browser can open.');
      return client.identity.update({ photo: cropped ?? null });
    },
    async onSuccess(me) {
      queryClient.setQueryData(keys.me(org.id), me);
      await refetchMember(queryClient, workspace, profile.userId);
      toast(me.photo ? 'Photo saved' : 'Photo removed');
    },
  });
  return (
    <Card
      title="Photo"
      description="The middle of the picture, as a square. People of your organisations see it beside your name."
    >
      {save.error && <ErrorNote error={save.error} />}
      <div className="flex flex-wrap items-center gap-3">
        <Avatar name={profile.name} seed={profile.userId} photo={photo} size="huge" />
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          aria-label="Photo"
          onChange={({ target }) => {
            const file = target.files?.[0];
            // The same file can be chosen again.
            target.value = '';
            if (file) save.mutate(file);
          }}
        />
        <Button icon={ImageUp} isBusy={save.isPending} onClick={() => input.current?.click()}>
          {photo ? 'Change photo' : 'Choose a photo'}
        </Button>
        {photo && (
          <Button icon={Trash2} look="quiet" onClick={() => save.mutate(null)}>
            Remove photo
          </Button>
        )}
      </div>
    </Card>
  );
}
