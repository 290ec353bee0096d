import { renderMail } from '../../../adapters/mail/layout.ts';
import { plainName } from '../../../adapters/mail/plain-name.ts';
import { excerptOf } from '../present.ts';
import type { NotificationRow } from '../store.ts';
import type { DigestToMail } from './store.ts';

type Digest = Pick<DigestToMail, 'orgName' | 'rows'> & { publicUrl: string };

const MOST_SHOWN = 10;
const MOST_WORDS = 200;

export function renderDigest({ orgName, rows, publicUrl }: Digest) {
  const [newest] = rows;
  const shown = rows.slice(0, MOST_SHOWN);
  const more = rows.length - shown.length;
  const subject =
    rows.length === 1 && newest
      ? `${sentenceFor(newest)} (${plainName(orgName)})`
      : `${rows.length} unread notifications in ${plainName(orgName)}`;
  const link = newest ? linkTo(newest, publicUrl) : publicUrl;
  const parts = renderMail({
    preview: newest ? sentenceFor(newest) : '',
    heading: `Unread in ${plainName(orgName)}`,
    paragraphs: [
      ...shown.map((row) => {
        const excerpt = excerptOf(row);
        return `${sentenceFor(row)}${excerpt ? `: “${plainName(excerpt, MOST_WORDS)}”` : '.'}`;
      }),
      ...(more > 0 ? [`And ${more} more.`] : []),
    ],
    facts: [],
    action: { label: 'Open Atrium', link },
    notes: [
      'You get at most one such email an hour, about what you have not read after 15 minutes. You can choose what you are emailed about in your profile, or unsubscribe with your mail program.',
    ],
  });
  return { subject, ...parts, link };
}

function sentenceFor(row: NotificationRow): string {
  const { kind, actorName, actorAgent, sessionName, projectName, taskNumber } = row;
  const actor = actorAgent === null ? plainName(actorName ?? 'Somebody') : `@${actorAgent}`;
  const name = sessionName ?? projectName;
  const place = name === null ? '' : ` in ${plainName(name)}`;
  switch (kind) {
    case 'MENTION':
      return `${actor} mentioned you${place}`;
    case 'DIRECT_MESSAGE':
      return `${actor} sent you a message`;
    case 'BROADCAST':
      return `${actor} wrote to everyone${place}`;
    case 'THREAD_REPLY':
      return `${actor} replied in your thread${place}`;
    case 'AGENT_REPLY':
      return `${actor} answered you${place}`;
    case 'TASK_ASSIGNED':
      return `${actor} assigned you task #${taskNumber}${place}`;
    case 'TASK_FINISHED':
      return `${actor} finished your task #${taskNumber}${place}`;
    case 'INVITATION_ACCEPTED':
      return `${actor} accepted your invitation`;
    case 'REMINDER':
      return `Reminder${place}`;
    case 'SCHEDULED_FAILED':
      return 'Not sent';
    default:
      return `News${place}`;
  }
}

function linkTo(row: NotificationRow, publicUrl: string): string {
  const { projectSlug, sessionId, messageId, taskNumber } = row;
  if (projectSlug === null) return publicUrl;
  const project = `${publicUrl}/p/${projectSlug}`;
  if (taskNumber !== null) return `${project}/t/${taskNumber}`;
  if (sessionId === null) return project;
  return `${project}/s/${sessionId}${messageId === null ? '' : `?m=${messageId}`}`;
}
