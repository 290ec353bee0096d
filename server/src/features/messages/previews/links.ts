import { createHash } from 'node:crypto';
import type { Context } from '../../../core/context.ts';
import { laneInShare } from '../../../jobs/queue.ts';
import { listLinks } from '../../../text/links.ts';

/** Of one message. */
export const MOST_PREVIEWS = 3;
/** Hosts of one organisation that take turns. Each lane costs whoever looks for jobs. */
const LANES = 16;

/** The links of a body that pages are looked up for. The guard refuses those to private addresses. */
export function linksToPreview({ site }: Pick<Context, 'site'>, body: string): string[] {
  const isWanted = ({ host, username, password }: URL) =>
    username + password === '' && host !== new URL(site.publicUrl()).host;
  return listLinks(body, isWanted, MOST_PREVIEWS);
}

/** The same page, whichever part of it a link goes to. */
export function hashLink(link: string): string {
  const url = new URL(link);
  url.hash = '';
  return hash(url.href).toString('hex');
}

/**
 * Each organisation has its share, and the hosts that it links to take turns in it: a slow one, or a thousand links
 * at once, hold up neither other hosts nor other organisations.
 */
export function laneFor(orgId: string, link: string): string {
  const bucket = hash(new URL(link).host).readUInt32BE() % LANES;
  return laneInShare(`previews-${orgId}`, String(bucket));
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
