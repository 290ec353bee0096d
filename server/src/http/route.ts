import type { z } from 'zod';
import type {
  AnyActor,
  Context,
  OrgKeyActor,
  PersonActor,
  PersonContext,
  Role,
  UserContext,
  WebContext,
} from '../core/context.ts';
import type { Download } from '../lists/download.ts';
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
  browser: WebContext<PersonActor>;
  'org-key': Context<OrgKeyActor>;
  web: WebContext<PersonActor>;
  anyone: WebContext;
}
type ContextOf<A extends AuthKind> = Contexts[A];

/** A context as the pipeline creates it; the route's `auth` says which of the above it is. */
export type AnyContext = Context<AnyActor, string | null>;

interface RouteBase<
  A extends AuthKind,
  Req extends RouteRequest,
  Res extends z.ZodType,
  Browser extends z.ZodType = Res,
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
  request: Req;
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
  /** The media type of a file that is sent instead of a record in the envelope. */
  fileType?: string;
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
}

type Status = 200 | 201 | 204;
type Data<Res extends z.ZodType> = z.input<Res>;

export interface LocalRoute<
  A extends AuthKind,
  Req extends RouteRequest,
  Res extends z.ZodType,
  Browser extends z.ZodType = Res,
> extends RouteBase<A, Req, Res, Browser> {
  callOut?: undefined;
  prepare?: undefined;
  /** A tagged route may return a finished page. */
  handler(ctx: ContextOf<A>, input: Input<Req>): Promise<Data<Res> | Data<Browser> | JsonPage>;
}

/** A GET that answers with a file. */
export interface DownloadRoute<A extends AuthKind, Req extends RouteRequest> extends RouteBase<
  A,
  Req,
  z.ZodType
> {
  fileType: string;
  callOut?: undefined;
  prepare?: undefined;
  handler(ctx: ContextOf<A>, input: Input<Req>): Promise<Download>;
}

/**
 * A route with work that is too slow for a transaction and has no effect outside this process. `prepare`
 * runs before the transaction, once for all repetitions of a request, and passes its result to the handler.
 */
export interface PreparingRoute<
  A extends AuthKind,
  Req extends RouteRequest,
  Res extends z.ZodType,
  Prepared,
> extends RouteBase<A, Req, Res> {
  callOut?: undefined;
  prepare(ctx: ContextOf<A>, input: Input<Req>): Promise<Prepared>;
  handler(ctx: ContextOf<A>, input: Input<Req>, prepared: Prepared): Promise<Data<Res>>;
}

/**
 * A route that calls an outside service. `callOut` runs with no transaction open and passes
 * `providerKey` on as the provider's own idempotency key; `handler` then stores the result.
 */
export interface CallingOutRoute<
  A extends AuthKind,
  Req extends RouteRequest,
  Res extends z.ZodType,
  Outcome,
> extends RouteBase<A, Req, Res> {
  prepare?: undefined;
  callOut(ctx: ContextOf<A>, input: Input<Req>, providerKey: string): Promise<Outcome>;
  handler(ctx: ContextOf<A>, input: Input<Req>, outcome: Outcome): Promise<Data<Res>>;
}

/** A route as the pipeline sees it; `defineRoute` has checked its types. */
export interface Route extends Omit<
  RouteBase<AuthKind, RouteRequest, z.ZodType>,
  'mayReplay' | 'status'
> {
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
export function defineRoute<A extends AuthKind, Req extends RouteRequest>(
  route: DownloadRoute<A, Req>,
): Route;
export function defineRoute<
  A extends AuthKind,
  Req extends RouteRequest,
  Res extends z.ZodType,
  Browser extends z.ZodType = Res,
>(route: LocalRoute<A, Req, Res, Browser>): Route;
export function defineRoute<
  A extends AuthKind,
  Req extends RouteRequest,
  Res extends z.ZodType,
  Prepared,
>(route: PreparingRoute<A, Req, Res, Prepared>): Route;
export function defineRoute<
  A extends AuthKind,
  Req extends RouteRequest,
  Res extends z.ZodType,
  Outcome,
>(route: CallingOutRoute<A, Req, Res, Outcome>): Route;
export function defineRoute(route: unknown): Route {
  return { status: 200, ...(route as Omit<Route, 'status'>) };
}

/** Every scope that a key needs, in the order in which they are checked. */
export function scopesOf({
  scope,
  moreScopes = [],
}: {
  scope: string | null;
  moreScopes?: readonly string[];
}): string[] {
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
    const { status, fileType, response } = route;
    if (
      [status === 204, fileType !== undefined, response !== undefined].filter(Boolean).length !== 1
    ) {
      throw new Error(`route ${name} must have a response schema, a fileType or status 204`);
    }
    if ((route.isTagged || fileType !== undefined) && route.method !== 'GET') {
      throw new Error(`route ${name} has a tag or a file, which is only for GET`);
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
