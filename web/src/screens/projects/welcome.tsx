import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState } from 'react';
import { listSessions, nameSession, type ProjectSessions } from '../../data/all-sessions.ts';
import { endGreeting, readGreeting } from '../../data/device/greeting.ts';
import { useAgents, useMembers } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { AgentAvatar } from '../../ui/marks/avatar.tsx';
import { countOf } from '../../ui/text/count-of.ts';

const SHOWN_SESSIONS = 3;
const LIST = new Intl.ListFormat('en');

/** Greets somebody who was invited: by whom, to what, and where to begin. Gone once they close it. */
export function Welcome({ projects }: { projects: ProjectSessions[] }) {
  const { org, profile } = useWorkspace();
  const [greeting, setGreeting] = useState(() => readGreeting(org.id));
  const { data: members = [] } = useMembers();
  const { data: agents = [] } = useAgents();
  if (!greeting) return null;
  const sessions = listSessions(projects).slice(0, SHOWN_SESSIONS);
  const others = members.filter(({ userId }) => userId !== profile.userId).length;
  const facts = [
    others > 0 && (others === 1 ? '1 other person' : `${others} other people`),
    projects.length > 0 && countOf(projects.length, 'project'),
    agents.length > 0 && countOf(agents.length, 'agent'),
  ].filter((fact) => typeof fact === 'string');
  return (
    <section
      aria-label="Welcome"
      className="relative flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5"
    >
      <div className="flex flex-col gap-1 pe-10">
        <h2 className="text-lg font-semibold wrap-anywhere">Welcome to {org.name}</h2>
        <p className="text-sm text-muted wrap-anywhere">
          <bdi>{greeting.inviter}</bdi> invited you to work with them.{' '}
          {facts.length > 0 && `You will find ${LIST.format(facts)} here.`}
        </p>
      </div>
      {sessions.length > 0 && (
        <div className="flex flex-col gap-1.5">
          <h3 className="text-note font-medium text-muted">What people are talking about</h3>
          <ul className="flex flex-col">
            {sessions.map(({ project, session }) => (
              <li key={session.id}>
                <Link
                  to="/p/$slug/s/$sessionId"
                  params={{ slug: project.slug, sessionId: session.id }}
                  className="-mx-2 flex min-h-9 min-w-0 items-center gap-2 rounded-md px-2 text-sm hover:bg-hover"
                >
                  <bdi className="min-w-0 truncate font-medium">{nameSession(session)}</bdi>
                  <bdi className="shrink-0 truncate text-note text-muted">{project.name}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p className="flex items-center gap-2 text-sm">
        <AgentAvatar slug="recall" size="small" />
        Mention @recall in any session to ask what the team already knows.
      </p>
      <div className="flex flex-wrap gap-2">
        {sessions[0] && (
          <LinkButton
            look="primary"
            to="/p/$slug/s/$sessionId"
            params={{ slug: sessions[0].project.slug, sessionId: sessions[0].session.id }}
          >
            Say hello
          </LinkButton>
        )}
        <LinkButton to="/settings/profile">Add your photo and title</LinkButton>
      </div>
      <IconButton
        label="Close the welcome"
        icon={X}
        className="absolute end-3 top-3"
        onClick={() => {
          endGreeting(org.id);
          setGreeting(undefined);
        }}
      />
    </section>
  );
}
