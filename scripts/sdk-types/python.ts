/**
 * Writes what `sdk-python` has from the OpenAPI documents: the models and `api.md`. The namespaces of
 * the async clients are made from those of the sync ones, which are written by hand.
 */
import { readdirSync, readFileSync } from 'node:fs';

interface Schema {
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
}

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
  'x-scope'?: string;
  'x-extension'?: boolean;
}

interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Documents {
  v2: OpenApiDocument;
  v1: OpenApiDocument;
  /** `operationId` to `namespace.method`. */
  methods: Record<string, string>;
}

interface Called {
  surface: 'v1' | 'v2';
  verb: string;
  path: string;
  operation: Operation;
}

/** The names of value lists, and where each is found. Others are written out where they stand. */
const ENUMS: Record<string, string> = {
  AuthorKind: 'Message.authorKind',
  BillingInterval: 'Checkout.interval',
  EmbeddingStatus: 'Memory.embeddingStatus',
  InvitationRole: 'CreateInvitation.role',
  InvitationStatus: 'Invitation.status',
  LedgerKind: 'LedgerEntry.kind',
  McpAuthType: 'CreateMcpServer.authType',
  MessageStatus: 'Message.status',
  ModelProvider: 'Model.provider',
  OrgKeyScope: 'CreateOrgKey.scopes',
  PaidPlan: 'Checkout.plan',
  Plan: 'Credits.plan',
  ProjectAccess: 'Project.access',
  Role: 'Member.role',
  Scope: 'CreateKey.scopes',
  SessionStatus: 'Session.status',
  TopupPack: 'Topup.pack',
};
const WIDTH = 100;
const KEYWORDS = new Set(['class', 'from', 'global', 'import', 'in', 'is', 'pass', 'return']);
const HEADER =
  '# Generated from openapi/*.json by scripts/generate.ts: change the API, not this file.\n';
const SYNC = new URL('../../sdk-python/src/atrium/_sync/', import.meta.url);

/** The generated files of `sdk-python`, by their path from the root. */
export function pythonFiles(documents: Documents = readDocuments()): Record<string, string> {
  const files: Record<string, string> = {
    'sdk-python/src/atrium/types.py': typesFile(documents),
    'sdk-python/api.md': apiFile(documents),
  };
  for (const name of readdirSync(SYNC).toSorted()) {
    if (!name.endsWith('.py')) continue;
    const source = readFileSync(new URL(name, SYNC), 'utf8');
    files[`sdk-python/src/atrium/_async/${name}`] =
      name === '__init__.py' ? asyncIndex(source) : asyncNamespace(name, source);
  }
  return files;
}

function readDocuments(): Documents {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../openapi/${name}.json`, import.meta.url), 'utf8'));
  return { v2: read('v2'), v1: read('v1'), methods: read('sdk-methods') };
}

function callsOf({ v2, v1 }: Documents): Called[] {
  return [['v2', v2] as const, ['v1', v1] as const].flatMap(([surface, document]) =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([verb, operation]) => ({ surface, verb, path, operation })),
    ),
  );
}

/** What answers are made of; requests are arguments of the methods. */
class Models {
  readonly texts = new Map<string, string>();
  readonly schemas: Record<string, Schema>;
  readonly results: Set<string>;
  /** By the values, joined. */
  readonly enumNames = new Map<string, string>();

  constructor(schemas: Record<string, Schema>, results: Set<string>) {
    this.schemas = schemas;
    this.results = results;
    for (const [name, place] of Object.entries(ENUMS)) {
      this.enumNames.set(this.valuesAt(place).join(), name);
    }
  }

  valuesAt(place: string): string[] {
    const [schema = '', property = ''] = place.split('.');
    const holder = this.schemas[schema];
    const options = holder?.anyOf ?? (holder ? [holder] : []);
    const found = options.flatMap((option) => option.properties?.[property] ?? [])[0];
    const values = found && (withoutNull(found).items ?? withoutNull(found)).enum;
    if (!values) throw new Error(`there is no list of values at ${place}: see ENUMS`);
    return values;
  }

  /** Writes a model after all those it needs, so that each name is known where it is used. */
  add(name: string, schema: Schema | undefined): void {
    if (!schema) throw new Error(`there is no schema ${name}`);
    if (this.texts.has(name)) return;
    const { properties, required } = merged(schema);
    const items = properties['items']?.items;
    const own = Object.entries(properties).filter(([field]) => !items || field !== 'items');
    const fields = own.map(([field, value]) => this.field(name, field, value, required));
    const base = items ? `m.ItemsResult[${this.typeOf(name, 'items', items)}]` : this.baseOf(name);
    const parts = [docstring(schema.description, '    '), ...fields].filter((text) => text !== '');
    const gap = schema.description && fields.length > 0 ? '\n' : '';
    const body = parts.length === 0 ? '    pass\n' : parts.join('').replace('\n', `\n${gap}`);
    this.texts.set(name, `class ${name}(${base}):\n${body}`);
  }

  baseOf(name: string): string {
    return this.results.has(name) ? 'm.Result' : 'm.AnswerPart';
  }

  field(model: string, name: string, schema: Schema, required: string[]): string {
    const type = this.typeOf(model, name, schema);
    const isSecret = schema.description?.includes('Shown this once') === true;
    const optional = type.endsWith('| None') ? type : `${type} | None`;
    const value = isSecret ? `${type} = Field(repr=False)` : type;
    const line = required.includes(name) ? value : `${optional} = None`;
    return `    ${snake(name)}: ${line}\n${docstring(schema.description, '    ')}`;
  }

  typeOf(model: string, field: string, schema: Schema): string {
    const value = withoutNull(schema);
    const type = this.plainTypeOf(model, field, value);
    return isNullable(schema) ? `${type} | None` : type;
  }

  plainTypeOf(model: string, field: string, schema: Schema): string {
    const pascal = `${model}${field.charAt(0).toUpperCase()}${field.slice(1)}`;
    if (schema.$ref) {
      const name = refName(schema);
      if (this.schemas[name]?.enum) return `Annotated[${name}, m.OPEN]`;
      this.add(name, this.schemas[name]);
      return name;
    }
    if (schema.enum) {
      const name = this.enumNames.get(schema.enum.join()) ?? literal(schema.enum);
      return `Annotated[${name}, m.OPEN]`;
    }
    switch (schema.type) {
      case 'array':
        return `list[${this.typeOf(model, field.replace(/s$/, ''), schema.items ?? {})}]`;
      case 'object':
        if (!schema.properties) return 'dict[str, Any]';
        this.add(pascal, schema);
        return pascal;
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'string':
        return { 'date-time': 'datetime', date: 'date' }[schema.format ?? ''] ?? 'str';
      default:
        return 'Any';
    }
  }
}

function typesFile(documents: Documents): string {
  const calls = callsOf(documents);
  const results = new Set(calls.flatMap(({ operation }) => resultName(operation) ?? []));
  const { v2, v1 } = documents;
  for (const [name, schema] of Object.entries(v1.components.schemas)) {
    const other = v2.components.schemas[name];
    if (other && JSON.stringify(other) !== JSON.stringify(schema))
      throw new Error(`v1 has another ${name} than v2: name it apart`);
  }
  const schemas = { ...v1.components.schemas, ...v2.components.schemas };
  const models = new Models(schemas, results);
  for (const name of [...results, 'FieldError'].toSorted()) models.add(name, schemas[name]);
  const named = Object.entries(ENUMS).map(([name, place]) => alias(name, models.valuesAt(place)));
  const shared = Object.entries(schemas).flatMap(([name, schema]) =>
    schema.enum ? [alias(name, schema.enum) + docstring(schema.description, '')] : [],
  );
  const body = [...models.texts.values()].join('\n\n');
  return `${HEADER}"""What the API answers with. Times are aware datetimes."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from . import _models as m

${[...named, ...shared].join('')}

${body}`;
}

function alias(name: string, values: string[]): string {
  const line = `${name}: TypeAlias = ${literal(values)}\n`;
  if (line.length <= WIDTH + 1) return line;
  return `${name}: TypeAlias = Literal[\n${values.map((value) => `    "${value}",\n`).join('')}]\n`;
}

function literal(values: string[]): string {
  return `Literal[${values.map((value) => `"${value}"`).join(', ')}]`;
}

function docstring(description: string | undefined, indent: string): string {
  return description === undefined
    ? ''
    : `${indent}"""${description.replaceAll('\\', '\\\\')}"""\n`;
}

/** One model for all variants of an answer: what only some of them have is optional. */
function merged(schema: Schema): { properties: Record<string, Schema>; required: string[] } {
  const variants = schema.anyOf ?? [schema];
  const properties: Record<string, Schema> = {};
  for (const [name, value] of variants.flatMap((one) => Object.entries(one.properties ?? {}))) {
    properties[name] ??= value;
  }
  const required = Object.keys(properties).filter((name) =>
    variants.every((variant) => variant.required?.includes(name)),
  );
  return { properties, required };
}

function isNullable(schema: Schema): boolean {
  if (schema.anyOf) return schema.anyOf.some(({ type }) => type === 'null');
  return Array.isArray(schema.type) && schema.type.includes('null');
}

function withoutNull(schema: Schema): Schema {
  const kept = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (kept?.length === 1) return kept[0] ?? schema;
  const types = Array.isArray(schema.type) ? schema.type.filter((type) => type !== 'null') : [];
  return types[0] === undefined ? schema : { ...schema, type: types[0] };
}

function refName({ $ref = '' }: Schema): string {
  const name = $ref.split('/').at(-1);
  if (!name) throw new Error('an answer without a name of its own: give its schema an id');
  return name;
}

function resultName(operation: Operation): string | undefined {
  const [, success] = Object.entries(operation.responses).find(([status]) => status < '300') ?? [];
  const data = success?.content?.['application/json']?.schema.properties?.['data'];
  return data && refName(data);
}

function snake(name: string): string {
  const text = name.replaceAll(/[A-Z]|(?<=[a-z])\d/g, (letter) => `_${letter.toLowerCase()}`);
  return KEYWORDS.has(text) ? `${text}_` : text;
}

/** `def` becomes `async def`, but for lists: those are pagers, awaited by whoever wants one page. */
function asyncNamespace(name: string, source: string): string {
  const methods = source
    .replaceAll(/^class (\w+)\(Namespace\)/gm, 'class Async$1(AsyncNamespace)')
    .replaceAll(
      /^from \.\._namespace import Namespace$/gm,
      'from .._namespace import AsyncNamespace',
    )
    .replaceAll(/^from \.\._pages import Page$/gm, 'from .._pages import AsyncPager')
    .replaceAll(
      /^ {4}def (\w+\([^:]*?(?:\n(?: {8}.*\n)+ {4})?\)|\w+\(.*\)) -> (.*):$/gm,
      asyncMethod,
    )
    .replaceAll(/^ {8}(return )?self\.(_call|_do|_run)\((.*)$/gm, awaitedCall);
  return `# Generated from ../_sync/${name} by scripts/generate.ts: change that file, not this one.\n${methods}`;
}

function asyncMethod(_: string, signature: string, result: string): string {
  const page = /^Page\[(.*)\]$/.exec(result)?.[1];
  return page === undefined
    ? `    async def ${signature} -> ${result}:`
    : `    def ${signature} -> AsyncPager[${page}]:`;
}

/** A line that is too long with its `await` is broken as the formatter would break it. */
function awaitedCall(_: string, returns: string | undefined, method: string, rest: string): string {
  const start = `        ${returns ?? ''}await self.${method}(`;
  if (start.length + rest.length <= WIDTH) return start + rest;
  return `${start}\n            ${rest.replace(/\)$/, '')}\n        )`;
}

function asyncIndex(source: string): string {
  const names = source
    .replace(/^""".*"""\n/, '')
    .replaceAll(/^(from \.\w+ import )(\w+)$/gm, '$1Async$2')
    .replaceAll(/^ {4}"(\w+)",$/gm, '    "Async$1",');
  return `# Generated from ../_sync/__init__.py by scripts/generate.ts: change that file, not this one.${names.replace(/^\n*/, '\n\n')}`;
}

function apiFile(documents: Documents): string {
  const calls = callsOf(documents);
  const clients = [
    ['`Atrium`, `AsyncAtrium`', 'v2', 'Base URL `<origin>/api`, keys `atr_…`.'],
    ['`AtriumMemory`, `AsyncAtriumMemory`', 'v1', 'Base URL `<origin>/api/v1`, keys `sk_live_…`.'],
  ] as const;
  const sections = clients.map(([title, surface, where]) => {
    const rows = Map.groupBy(
      calls.filter((call) => call.surface === surface),
      ({ operation }) => methodOf(documents, operation)[0],
    );
    const tables = [...rows].map(
      ([namespace, own]) =>
        `### \`client.${namespace}\`\n\n| Method | Endpoint | Returns | Scope |\n|---|---|---|---|\n${own
          .map((call) => apiRow(documents, call))
          .join('')}`,
    );
    return `## ${title}\n\n${where}\n\n${tables.join('\n')}`;
  });
  return `<!-- Generated from openapi/*.json by scripts/generate.ts: change the API, not this file. -->
# Methods of atrium-sdk

One method for each operation of the API. What comes before \`*\` is positional; arguments in brackets may be left out.
Every method also takes \`timeout\`, \`max_retries\`, \`idempotency_key\` and \`headers\`. Methods of the async clients are
awaited. A \`Page\` has one page, and is iterated over for the items of all of them; see the README.
\\* an extension: not in the core of the specification.

${sections.join('\n')}`;
}

function methodOf({ methods }: Documents, { operationId }: Operation): [string, string] {
  const [namespace, method] = methods[operationId]?.split('.') ?? [];
  if (!namespace || !method)
    throw new Error(`openapi/sdk-methods.json has no name for ${operationId}`);
  return [namespace, snake(method)];
}

function apiRow(documents: Documents, { surface, verb, path, operation }: Called): string {
  const [, method] = methodOf(documents, operation);
  const parameters = operation.parameters ?? [];
  const ids = parameters.flatMap(({ name, in: where }) => (where === 'path' ? [snake(name)] : []));
  const { schemas } = documents[surface].components;
  const bodySchema = operation.requestBody?.content['application/json']?.schema;
  const body = bodySchema && merged(schemas[refName(bodySchema)] ?? {});
  const fields = [
    ...parameters.flatMap(({ name, in: where, required }) =>
      where === 'query' ? [required ? snake(name) : `[${snake(name)}]`] : [],
    ),
    ...Object.keys(body?.properties ?? {}).map((name) =>
      body?.required.includes(name) ? snake(name) : `[${snake(name)}]`,
    ),
  ];
  const signature = [...ids, ...(fields.length > 0 ? ['*'] : []), ...fields].join(', ');
  const star = operation['x-extension'] ? ' \\*' : '';
  const scope = operation['x-scope'] ? `\`${operation['x-scope']}\`` : '';
  const returns = returned(schemas, verb, operation);
  return `| \`${method}(${signature})\` | \`${verb.toUpperCase()} ${path}\`${star} | \`${returns}\` | ${scope} |\n`;
}

function returned(schemas: Record<string, Schema>, verb: string, operation: Operation): string {
  const name = resultName(operation);
  if (!name) return 'None';
  const items = schemas[name]?.properties?.['items']?.items;
  return verb === 'get' && items ? `Page[${refName(items)}]` : name;
}
