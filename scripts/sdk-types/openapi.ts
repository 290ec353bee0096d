/** The parts of the OpenAPI documents that both SDKs are generated from. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
  'x-scope'?: string;
  'x-more-scopes'?: string[];
  'x-extension'?: boolean;
}

interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Documents {
  v2: OpenApiDocument;
  v1: OpenApiDocument;
  /** Maps each `operationId` to `namespace.method`. */
  methods: Record<string, string>;
}

export interface Endpoint {
  version: 'v1' | 'v2';
  verb: string;
  path: string;
  operation: Operation;
  namespace: string;
  method: string;
}

export function endpointsOf({ v2, v1, methods }: Documents): Endpoint[] {
  return [['v2', v2] as const, ['v1', v1] as const].flatMap(([version, document]) =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([verb, operation]) => {
        const [namespace, method] = methods[operation.operationId]?.split('.') ?? [];
        if (!namespace || !method) {
          throw new Error(`openapi/sdk-methods.json has no name for ${operation.operationId}`);
        }
        return { version, verb, path, operation, namespace, method };
      }),
    ),
  );
}

/** The schemas of both versions. A name must mean the same in v1 and v2. */
export function schemasOf({ v2, v1 }: Documents): Record<string, Schema> {
  for (const [name, schema] of Object.entries(v1.components.schemas)) {
    const other = v2.components.schemas[name];
    if (other && JSON.stringify(other) !== JSON.stringify(schema)) {
      throw new Error(`v1 and v2 define ${name} differently; give one of them another name`);
    }
  }
  return { ...v2.components.schemas, ...v1.components.schemas };
}

export function bodyOf({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content?.['application/json']?.schema;
}

/** The name of the record in `data`, or undefined if the response has no body. */
export function resultName(operation: Operation): string | undefined {
  const [, success] = Object.entries(operation.responses).find(([status]) => status < '300') ?? [];
  const data = success?.content?.['application/json']?.schema.properties?.['data'];
  return data && refName(data);
}

const READ_TYPES = new Set(['application/json', 'text/event-stream']);

/** Whether the response is a file instead of a record in the envelope. */
export function isFile(operation: Operation): boolean {
  const types = Object.keys(operation.responses['200']?.content ?? {});
  return types.length > 0 && !types.some((type) => READ_TYPES.has(type));
}

/** Whether it may be asked for some of its bytes. */
export function hasRange({ responses }: Operation): boolean {
  return '206' in responses;
}

/** The response stays open and carries events. */
export function isStream({ responses }: Operation): boolean {
  return responses['200']?.content?.['text/event-stream'] !== undefined;
}

export function refName({ $ref = '' }: Schema): string {
  const name = $ref.split('/').at(-1);
  if (!name) throw new Error('a request or response body has no name; give its schema an id');
  return name;
}

interface ClientSection {
  title: string;
  version: 'v1' | 'v2';
}

interface ApiPage {
  heading: string;
  intro: string;
  clients: readonly ClientSection[];
  /** The method's signature and its return type, for the table. */
  describe: (endpoint: Endpoint) => { signature: string; returns: string };
}

const ADDRESSES = {
  v2: 'Base URL `<origin>/api`, keys `atr_…`.',
  v1: 'Base URL `<origin>/api/v1`, keys `sk_live_…`.',
};

/** `api.md`: a table of methods for each namespace. */
export function apiPage(documents: Documents, { heading, intro, clients, describe }: ApiPage) {
  const rowOf = (endpoint: Endpoint) => {
    const { verb, path, operation } = endpoint;
    const { signature, returns } = describe(endpoint);
    const star = operation['x-extension'] ? ' \\*' : '';
    const scopes = [operation['x-scope'] ?? [], operation['x-more-scopes'] ?? []].flat();
    const scope = scopes.map((each) => `\`${each}\``).join(', ');
    return `| \`${signature}\` | \`${verb.toUpperCase()} ${path}\`${star} | \`${returns}\` | ${scope} |\n`;
  };
  const sections = clients.map(({ title, version }) => {
    const own = endpointsOf(documents).filter((endpoint) => endpoint.version === version);
    const tables = [...Map.groupBy(own, ({ namespace }) => namespace)].map(
      ([namespace, endpoints]) =>
        `### \`client.${namespace}\`\n\n| Method | Endpoint | Returns | Scope |\n|---|---|---|---|\n${endpoints.map(rowOf).join('')}`,
    );
    return `## ${title}\n\n${ADDRESSES[version]}\n\n${tables.join('\n')}`;
  });
  return `<!-- Generated from openapi/*.json by scripts/generate.ts. Change the API, not this file. -->
# ${heading}

${intro}
\\* marks an extension, which is not part of the core specification.

${sections.join('\n')}`;
}
