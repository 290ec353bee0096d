import { AtriumError, type Atrium } from '@atrium/sdk';
import { Link, useNavigate } from '@tanstack/react-router';
import { Rocket } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useModels } from '../../data/queries.ts';
import { setDraft } from '../../data/device/drafts.ts';
import { keys } from '../../data/query-keys.ts';
import { useChange } from '../../data/use-change.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextAreaField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { useShellActions } from '../../shared/shell-actions.ts';
import { questionAbout } from './first-question.ts';

/** True of any team from its first minute, so it can be asked about at once. */
const EXAMPLE =
  'Decisions, dates and facts that others will need go into memory, so that anyone can ask @recall about them.';

/** The first thing anyone sees: what this is, and three steps to an answer that has a source. */
export function FirstRun() {
  const { openNewProject } = useShellActions();
  const navigate = useNavigate();
  const [known, setKnown] = useState(EXAMPLE);
  const content = known.trim();
  const begin = useChange({
    send: ({ client }) => createFirst(client, content),
    refetch: keys.projects,
    onDone(params) {
      setDraft(params.sessionId, undefined, questionAbout(content, EXAMPLE));
      return navigate({ to: '/p/$slug/s/$sessionId', params });
    },
  });
  return (
    <section className="flex flex-col items-start gap-6 rounded-xl border border-line bg-surface p-5 sm:p-8">
      <div className="flex flex-col gap-1">
        <h2 className="text-lg font-semibold">Where people and agents work together</h2>
        <p className="text-muted">Three steps to your first answer from an agent.</p>
      </div>
      <Form className="flex w-full flex-col gap-6" onSubmit={() => begin.mutate()}>
        <ol className="grid w-full gap-6 md:grid-cols-3 md:gap-4">
          <Step number={1} title="Create a project">
            It keeps what belongs together: a product, a customer or a question. Your first session,
            a conversation about one topic, is in it.
          </Step>
          <Step number={2} title="Write down something your team knows">
            <TextAreaField
              label="A first memory"
              isLabelHidden
              dir="auto"
              rows={4}
              required
              maxLength={10_000}
              value={known}
              onChange={({ target }) => setKnown(target.value)}
            />
          </Step>
          <Step number={3} title="Ask @recall about it">
            It answers from what your team has written and remembered, and cites its sources. It
            needs no API key and costs nothing.
          </Step>
        </ol>
        {begin.error && <ErrorNote error={begin.error} />}
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            look="primary"
            isBusy={begin.isPending}
            disabled={content === ''}
            icon={Rocket}
          >
            Create “First project” and ask
          </Button>
          <Button onClick={openNewProject}>Create my own project</Button>
        </div>
      </Form>
      <NoModelNote />
    </section>
  );
}

/** Until there is a model, only the built-in agent answers. Owners can change that at once. */
function NoModelNote() {
  const { org } = useWorkspace();
  const { data: models } = useModels();
  if (org.role !== 'OWNER' || !models?.every(({ provider }) => provider === 'builtin')) return null;
  return (
    <p className="text-sm text-muted">
      No model yet?{' '}
      <Link to="/settings/models" className="text-accent underline">
        Add OpenAI, Anthropic, Ollama or another provider
      </Link>{' '}
      with your own key, and agents can also write, plan and use tools.
    </p>
  );
}

interface StepProps {
  number: number;
  title: string;
  children: ReactNode;
}

function Step({ number, title, children }: StepProps) {
  return (
    <li className="flex min-w-0 gap-3">
      <span
        aria-hidden
        className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-sm font-semibold text-accent"
      >
        {number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h3 className="font-medium">{title}</h3>
        <div className="text-sm text-muted">{children}</div>
      </div>
    </li>
  );
}

interface First {
  slug: string;
  sessionId: string;
}

/** An archived project keeps its address, so the first name may be taken even in an empty list. */
async function createFirst(client: Atrium, content: string): Promise<First> {
  for (let number = 1; ; number++) {
    try {
      const name = number === 1 ? 'First project' : `First project ${number}`;
      const { id: projectId, slug } = await client.projects.create({ name });
      const session = await client.sessions.create(slug, { name: 'Getting started' });
      await client.memory.create({ content, visibility: 'PROJECT', projectId });
      return { slug, sessionId: session.id };
    } catch (error) {
      const isTaken = error instanceof AtriumError && error.reason === 'slug_taken';
      if (!isTaken || number === 20) throw error;
    }
  }
}
