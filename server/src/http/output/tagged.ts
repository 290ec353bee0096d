import type { FastifyReply, FastifyRequest } from 'fastify';
import { JsonPage } from '../../lists/json-page.ts';
import type { Route } from '../route.ts';

const HEAD = Buffer.from('{"success":true,"data":');

/** What a tagged route's handler returned. The tag speaks for `data`: the metadata is new in each response. */
export async function toPage(
  route: Route,
  data: unknown,
  checkResponses: boolean,
): Promise<JsonPage> {
  const page = data instanceof JsonPage ? data : await JsonPage.of(data);
  if (checkResponses) route.response?.parse(JSON.parse(page.bytes.toString()));
  return page;
}

export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: JsonPage,
  now: Date,
): FastifyReply {
  void reply.header('ETag', page.etag);
  // A browser may keep it, but has to ask: the next caller may not be allowed to see it.
  if (!reply.hasHeader('Cache-Control')) void reply.header('Cache-Control', 'private, no-cache');
  if (isKnown(request, page.etag)) return reply.code(304).send();
  const metadata = JSON.stringify({ timestamp: now.toISOString(), requestId: request.id });
  const body = Buffer.concat([HEAD, page.bytes, Buffer.from(`,"metadata":${metadata}}`)]);
  return reply.header('content-type', 'application/json; charset=utf-8').send(body);
}

/** Whether If-None-Match names this tag. */
export function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  // A compressing proxy may have changed it from strong to weak or back, which makes no difference for GET.
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  return known.trim() === '*' || known.split(',').some((tag) => bare(tag) === bare(etag));
}
