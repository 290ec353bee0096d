import type { Project } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FolderPlus, Lock, SendHorizontal } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useDraft } from '../../data/device/drafts.ts';
import { isStuck, places } from '../../data/uploads/upload.ts';
import { moveToProject, useUploadsAt } from '../../data/uploads/uploads.ts';
import { useProjects } from '../../data/queries.ts';
import { keys } from '../../data/query-keys.ts';
import { useOwner, useWorkspace } from '../../data/workspace.tsx';
import { AttachButtons } from '../../shared/files/attach-buttons.tsx';
import { useAdding } from '../../shared/files/use-adding.ts';
import { useShellActions } from '../../shared/shell-actions.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { isTouch } from '../../ui/keys/is-touch.ts';
import { quietPart } from '../../ui/layers/part-boundary.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { bodyOf, countNearLimit, LONGEST_BODY } from '../session/composer/body.ts';
import { registerComposer } from '../session/composer/composers.ts';
import { DropHint } from '../session/composer/drop-hint.tsx';
import { putInOutbox } from '../session/composer/outbox.ts';
import { useAutoHeight } from '../session/composer/use-auto-height.ts';
import { useGivenFiles } from '../session/composer/use-given-files.ts';
import { handleWritingKey } from '../session/composer/writing-keys.ts';
import { useAnswererOptions } from './answerer-options.ts';
import { AnswererPicker } from './answerer-picker.tsx';
import { keepChoice, readLastChoice } from './last-choice.ts';

const UploadTray = quietPart(() => import('../../shared/files/upload-tray.tsx'), 'UploadTray');

/** Where the text is kept until it is sent. */
const DRAFT = 'new-chat';

/** A conversation with an agent or a model. Its session is made when the first message is sent. */
export function NewChat() {
  const projects = useProjects();
  const { openNewProject } = useShellActions();
  return (
    <div className="mx-auto flex min-h-full w-full max-w-3xl flex-col justify-center gap-6 p-4 sm:p-6">
      <h1 className="text-center text-2xl font-semibold">What would you like to know?</h1>
      <Loading of={projects} />
      {projects.data?.length === 0 && (
        <EmptyState
          icon={FolderPlus}
          title="Create a project first"
          action={
            <Button look="primary" onClick={openNewProject}>
              Create project
            </Button>
          }
        >
          A chat belongs to a project, and you don’t have one yet.
        </EmptyState>
      )}
      {projects.data && projects.data.length > 0 && <Form projects={projects.data} />}
    </div>
  );
}

function Form({ projects }: { projects: Project[] }) {
  const owner = useOwner();
  const { project: given } = useSearch({ from: '/workspace/chat' });
  const [last] = useState(() => readLastChoice(owner));
  const [chosenProject, chooseProject] = useState<string>();
  const [chosenAnswerer, chooseAnswerer] = useState(last.answerer ?? '');
  const wanted = [chosenProject, given, last.project];
  const project =
    wanted.map((slug) => projects.find((one) => one.slug === slug)).find(Boolean) ?? projects[0];
  const options = useAnswererOptions(project?.id, project?.defaultAgent ?? null);
  // Not everyone answers in every project.
  const answerer = options.some(({ slug }) => slug === chosenAnswerer) ? chosenAnswerer : '';
  const [text, setText] = useDraft(DRAFT, undefined);
  const area = useRef<HTMLTextAreaElement>(null);
  useAutoHeight(area, text);
  useEffect(() => {
    if (!isTouch()) area.current?.focus();
  }, []);
  const place = places.draft(DRAFT);
  const uploads = useUploadsAt(place);
  const projectId = project?.id ?? '';
  const addFiles = useAdding({ place, projectId });
  const isOver = useGivenFiles(area, addFiles);
  useEffect(() => (area.current ? registerComposer(undefined, area.current) : undefined), []);
  useEffect(() => void moveToProject(owner, place, projectId), [owner, place, projectId]);
  const start = useStartChat(owner, () => setText(''));
  const body = bodyOf(text);
  const isTooLong = (countNearLimit(text) ?? 0) > LONGEST_BODY;
  const isHeldUp = uploads.some(isStuck);
  const canSend = !isTooLong && !isHeldUp && (body !== '' || uploads.length > 0);
  const slug = project?.slug ?? '';
  function send() {
    if (canSend && !start.isPending) start.mutate({ slug, answerer, body });
  }
  return (
    <form
      aria-label="New chat"
      className="flex min-w-0 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="flex min-w-0 flex-col relative rounded-xl border border-edge bg-surface focus-within:border-accent focus-within:ring-1 focus-within:ring-accent">
        {isOver && <DropHint />}
        {uploads.length > 0 && <UploadTray uploads={uploads} />}
        <textarea
          ref={area}
          aria-label="Message"
          aria-invalid={isTooLong || undefined}
          dir="auto"
          rows={3}
          value={text}
          placeholder="Ask anything…"
          className="block max-h-[50dvh] min-h-24 w-full resize-none overflow-y-auto rounded-xl bg-transparent px-4 py-3 text-[16px] leading-snug text-ink outline-none wrap-anywhere placeholder:text-muted"
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => void handleWritingKey(event, send)}
        />
        <div className="flex min-w-0 items-center justify-between gap-2 px-2 pb-2">
          <div className="flex min-w-0 items-center">
            <AttachButtons onFiles={addFiles} />
            <AnswererPicker options={options} value={answerer} onChange={chooseAnswerer} />
          </div>
          <Button
            type="submit"
            look="primary"
            size="small"
            icon={SendHorizontal}
            isBusy={start.isPending}
            disabled={!canSend}
          >
            Send
          </Button>
        </div>
      </div>
      {isTooLong && (
        <p role="alert" className="text-note text-danger">
          A message has at most {LONGEST_BODY.toLocaleString()} characters.
        </p>
      )}
      {isHeldUp && (
        <p role="alert" className="text-note text-danger">
          A file couldn’t be uploaded. Try it again or remove it, and then send.
        </p>
      )}
      {start.error && <ErrorNote error={start.error} />}
      <div className="flex min-w-0 flex-wrap items-end justify-between gap-3">
        <SelectField
          label="Project"
          hint="What is remembered there can be used in the answers."
          value={slug}
          onChange={chooseProject}
          options={projects.map((one) => ({ value: one.slug, name: one.name }))}
        />
        <p className="flex items-center gap-1.5 text-note text-muted">
          <Lock aria-hidden className="size-3.5 shrink-0" />
          Only you see it, until you add people.
        </p>
      </div>
    </form>
  );
}

interface NewChatMessage {
  slug: string;
  answerer: string;
  body: string;
}

/** Makes the session. The message goes through its outbox, so that it is neither lost nor sent twice. */
function useStartChat(owner: string, onStarted: () => void) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ slug, answerer }: NewChatMessage) =>
      client.sessions.create(slug, {
        name: 'New chat',
        isUnnamed: true,
        access: 'PARTICIPANTS',
        answersWithoutMention: true,
        defaultAgent: answerer || null,
      }),
    onSuccess: async ({ id: sessionId }, { slug, answerer, body }) => {
      putInOutbox(owner, { slug, sessionId, parentMessageId: undefined, body }, DRAFT);
      keepChoice(owner, { project: slug, answerer });
      onStarted();
      for (const key of [keys.sessions(org.id, slug), keys.overview(org.id)]) {
        void queryClient.invalidateQueries({ queryKey: key });
      }
      await navigate({ to: '/p/$slug/s/$sessionId', params: { slug, sessionId } });
    },
  });
}
