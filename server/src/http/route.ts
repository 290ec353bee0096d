import type { z } from 'zod';
import type {
  AnyActor,
  Context,
  OrgKeyActor,
  PersonContext,
  Role,
  SignedInContext,
  UserContext,
  WebContext,
} from '../core/context.ts';
import type { Queryable } from '../db/types.ts';
import type { JsonPage } from '../lists/json-page.ts';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/**
 * Who may call. `/api`: a member of an org (`user`), or a person with or without one (`person`), by v2 key
 * or cookie; `browser`: by cookie only. `/api/v1`: a v1 key. `/web`: a person by cookie only, or anyone.
 */
export type AuthKind = 'user' | 'person' | 'browser' | 'org-key' | 'web' | 'anyone';

export interface RouteRequest {
  params?: z.ZodType;
  query?: z.ZodObject;
  body?: z.ZodType;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

export interface Input<Req extends RouteRequest> {
  params: Parsed<Req['params']>;
  query: Parsed<Req['query']>;
  body: Parsed<Req['body']>;
}

interface Contexts {
  user: UserContext;
  person: PersonContext;
  browser: SignedInContext;
  'org-key': Context<OrgKeyActor>;
  web: SignedInContext;
  anyone: WebContext;
}
type ContextOf<A extends AuthKind> = Contexts[A];

/** A context as the pipeline creates it; the route's `auth` says which of the above it is. */
export type AnyContext = Context<AnyActor, string | null>;

interface RouteDefinition<
  A extends AuthKind,
  Req extends RouteRequest,
  Res extends z.ZodType,
  Browser extends z.ZodType,
  Outcome,
> {
  operationId: string;
  tag: string;
  method: HttpMethod;
  /** In OpenAPI form, without the prefix of the API: `/projects/{projectId}`. */
  path: string;
  summary: string;
  description: string;
  /** True for operations that are not in the specification. */
  extension?: boolean;
  auth: A;
  /** The roles that may call; default: every member. An `{orgId}` in the path is always checked. */
  roles?: readonly Role[];
  /** The scope that a key needs, or null. */
  scope: string | null;
  /** Others that it needs too, if the operation does the work of other ones. */
  moreScopes?: readonly string[];
  limit: 'read' | 'write';
  /** In the browser, the person must have signed in or confirmed it recently. Keys are not asked. */
  needsFreshSignIn?: boolean;
  /** Default: it takes no parameters and no body. */
  request?: Req;
  /**
   * For a POST under `/api`: checks, before a stored response is sent again, what admission does
   * not, such as membership of a Project. Throws what the handler would; false if what the response shows
   * (`shown`, none for a 409) was changed or deleted since. `always`: there is nothing to check.
   */
  mayReplay?:
    | 'always'
    | ((ctx: ContextOf<A>, input: Input<Req>, shown: Data<Res> | undefined) => Promise<unknown>);
  /** Default: 200. */
  status?: Status;
  /** For a GET: the response has an ETag, and a caller who sends the current one gets 304. */
  isTagged?: boolean;
  /** For a GET: the media type of the `Download` that is sent instead of a record in the envelope. */
  fileType?: string;
  /** For a GET: the media type of the `StoredFile` that is sent instead, under an address that is never reused. */
  storedType?: string;
  /** For a GET: the `FileContent` that the handler returns is sent instead of a record, or the range that is asked for. */
  isContent?: boolean;
  /** The handler may also return an address `Elsewhere`, to which browsers are sent. */
  mayRedirect?: boolean;
  /**
   * For a GET that pages use as the address of a picture, where they can send no header: the organisation of what
   * the path names, if the person belongs to it.
   */
  findOrg?(
    db: Queryable,
    userId: string,
    params: Record<string, string>,
  ): Promise<string | undefined>;
  /**
   * For a GET: the response stays open and carries server-sent events. The handler checks the caller's access
   * and returns what the events are about, as `response` describes it.
   */
  isStream?: boolean;
  /** The record in `data`; none for 204. */
  response?: Res;
  /** The record for the browser, if it differs from the one for keys; not in the OpenAPI document. */
  browserResponse?: Browser;
  example?: { request?: unknown; response?: unknown };
  /**
   * For work that is too slow for a transaction and has no effect outside this process. It runs before the
   * transaction, once for all repetitions of a request, and passes its result to the handler.
   */
  prepare?(ctx: ContextOf<A>, input: Input<Req>): Promise<Outcome>;
  /**
   * Calls an outside service, with no transaction open, and passes `providerKey` on as the provider's own
   * idempotency key. `handler` then stores the result.
   */
  callOut?(ctx: ContextOf<A>, input: Input<Req>, providerKey: string): Promise<Outcome>;
  /** A tagged route may return a finished page. */
  handler(
    ctx: ContextOf<A>,
    input: Input<Req>,
    outcome: Outcome,
  ): Promise<Data<Res> | Data<Browser> | JsonPage>;
}

type Status = 200 | 201 | 204;
type Data<Res extends z.ZodType> = z.input<Res>;

/** A route as the pipeline sees it; `defineRoute` has checked its types. */
export interface Route extends Omit<
  RouteDefinition<AuthKind, RouteRequest, z.ZodType, z.ZodType, unknown>,
  'request' | 'mayReplay' | 'status' | 'prepare' | 'callOut' | 'handler'
> {
  request: RouteRequest;
  status: Status;
  mayReplay?:
    | 'always'
    | ((ctx: AnyContext, input: Input<RouteRequest>, shown: unknown) => Promise<unknown>);
  callOut?: (ctx: AnyContext, input: Input<RouteRequest>, providerKey: string) => Promise<unknown>;
  prepare?: (ctx: AnyContext, input: Input<RouteRequest>) => Promise<unknown>;
  handler: (ctx: AnyContext, input: Input<RouteRequest>, outcome: unknown) => Promise<unknown>;
}

/**
 * The one way to add an endpoint. The definition drives authentication, limits, roles, scopes,
 * validation, idempotency, the envelope and the OpenAPI document.
 */
export function defineRoute<
  A extends AuthKind,
  Req extends RouteRequest,
  Res extends z.ZodType,
  Browser extends z.ZodType = Res,
  Outcome = undefined,
>(route: RouteDefinition<A, Req, Res, Browser, Outcome>): Route {
  return { status: 200, request: {}, ...(route as unknown as Omit<Route, 'status' | 'request'>) };
}

/** Every scope that a key needs, in the order in which they are checked. */
export function scopesOf({ scope, moreScopes = [] }: Pick<Route, 'scope' | 'moreScopes'>) {
  return scope === null ? [] : [scope, ...moreScopes];
}

const PREFIX: Record<AuthKind, string> = {
  user: '/api',
  person: '/api',
  browser: '/api',
  'org-key': '/api/v1',
  web: '/web',
  anyone: '/web',
};

/** The path as callers send it, still in OpenAPI form. */
export function fullPath(route: Route): string {
  return PREFIX[route.auth] + route.path;
}

/** Browser routes have no idempotency: their result is a cookie, or is shown only once. */
function takesIdempotencyKey({ auth }: Route): boolean {
  return auth !== 'web' && auth !== 'anyone';
}

/** An incomplete definition stops the server at startup, instead of leaving a route unprotected. */
export function checkRoutes(routes: readonly Route[]): void {
  const seen = new Set<string>();
  for (const route of routes) {
    const name = `${route.operationId} (${route.method} ${route.path})`;
    if (!(route.auth in PREFIX)) throw new Error(`route ${name} does not say who may call it`);
    if (route.scope === undefined)
      throw new Error(`route ${name} does not name its scope, or null`);
    const { status, fileType, storedType, isContent, response } = route;
    const file = fileType ?? storedType ?? isContent;
    if ([status === 204, file !== undefined, response !== undefined].filter(Boolean).length !== 1) {
      throw new Error(`route ${name} must have a response schema, a file or status 204`);
    }
    if ((route.isTagged || file !== undefined) && route.method !== 'GET') {
      throw new Error(`route ${name} has a tag or a file, which is only for GET`);
    }
    if (route.prepare && route.callOut) {
      throw new Error(`route ${name} can either prepare or call out`);
    }
    if (route.isStream && (route.method !== 'GET' || route.isTagged)) {
      throw new Error(`route ${name} is a stream, which is only for GET, without a tag`);
    }
    if (route.method === 'POST' && takesIdempotencyKey(route) && !route.mayReplay) {
      throw new Error(`route ${name} does not say whether its response may be replayed`);
    }
    if (route.path.includes('{') && !route.request.params) {
      throw new Error(`route ${name} has a path parameter but no params schema`);
    }
    for (const key of [route.operationId, `${route.method} ${fullPath(route)}`]) {
      if (seen.has(key)) throw new Error(`route ${name} is defined twice`);
      seen.add(key);
    }
  }
}
