import { AtriumError, type Atrium } from '@atrium/sdk';
import { useNavigate } from '@tanstack/react-router';
import { Rocket } from 'lucide-react';
import { keys } from '../../data/query-keys.ts';
import { useChange } from '../../data/use-change.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { useShellActions } from '../../shared/shell-actions.ts';

const STEPS = [
  ['Create a project', 'It keeps what belongs together: a product, a customer or a question.'],
  ['Start a session', 'One conversation about one topic, open to everyone in the project.'],
  [
    'Ask @recall',
    'It answers from what your team has written and remembered, and cites its sources. It needs no API key and costs nothing.',
  ],
] as const;

/** The first thing anyone sees: what this is, and one button that gets them started. */
export function FirstRun() {
  const { openNewProject } = useShellActions();
  const navigate = useNavigate();
  const begin = useChange({
    send: ({ client }) => createFirst(client),
    refetch: keys.projects,
    onDone: (params) => navigate({ to: '/p/$slug/s/$sessionId', params }),
  });
  return (
    <section className="flex flex-col items-start gap-6 rounded-xl border border-line bg-surface p-5 sm:p-8">
      <div className="flex flex-col gap-1">
        <h2 className="text-lg font-semibold">Where people and agents work together</h2>
        <p className="text-muted">Three steps to your first answer from an agent.</p>
      </div>
      <ol className="grid w-full gap-4 md:grid-cols-3">
        {STEPS.map(([title, text], at) => (
          <li key={title} className="flex gap-3">
            <span
              aria-hidden
              className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-sm font-semibold text-accent"
            >
              {at + 1}
            </span>
            <div>
              <h3 className="font-medium">{title}</h3>
              <p className="text-sm text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      {begin.error && <ErrorNote error={begin.error} />}
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          isBusy={begin.isPending}
          onClick={() => begin.mutate()}
          icon={Rocket}
        >
          Create “First project” and a session
        </Button>
        <Button onClick={openNewProject}>Create my own project</Button>
      </div>
    </section>
  );
}

/** An archived project keeps its address, so the first name may be taken even in an empty list. */
async function createFirst(client: Atrium): Promise<{ slug: string; sessionId: string }> {
  for (let number = 1; ; number++) {
    try {
      const name = number === 1 ? 'First project' : `First project ${number}`;
      const { slug } = await client.projects.create({ name });
      const session = await client.sessions.create(slug, { name: 'Getting started' });
      return { slug, sessionId: session.id };
    } catch (error) {
      const isTaken = error instanceof AtriumError && error.reason === 'slug_taken';
      if (!isTaken || number === 20) throw error;
    }
  }
}
