/**
 * Generates the models of `sdk-python` and its `api.md` from the OpenAPI documents, and the async
 * namespaces from the sync ones, which are written by hand. No ruff runs here, so nothing is wrapped:
 * value lists have one value per line, and `pyproject.toml` exempts the rest from line length.
 */
import { readdirSync, readFileSync } from 'node:fs';
import {
  apiPage,
  bodyOf,
  endpointsOf,
  isFile,
  isStream,
  refName,
  resultName,
  schemasOf,
  type Documents,
  type Endpoint,
  type Schema,
} from './openapi.ts';

/** Names for the value lists at these places. Other lists are written out where they are used. */
const ENUMS: Record<string, string> = {
  AgentTool: 'CreateAgent.tools',
  AuthorKind: 'Message.authorKind',
  BroadcastRule: 'Project.broadcasts',
  BillingInterval: 'Checkout.interval',
  ChannelAnswers: 'ChannelMapping.answers',
  ChannelDirection: 'ChannelMapping.direction',
  ChannelStatus: 'UpdateChannelMapping.status',
  ChatProvider: 'CreateChannelConnection.provider',
  EmbeddingStatus: 'Memory.embeddingStatus',
  InvitationRole: 'CreateInvitation.role',
  InvitationStatus: 'Invitation.status',
  LedgerKind: 'LedgerEntry.kind',
  McpAuthType: 'CreateMcpServer.authType',
  ModelProviderKind: 'CreateModelProvider.kind',
  MessageStatus: 'Message.status',
  ModelProvider: 'Model.provider',
  NotificationKind: 'Notification.kind',
  NotificationLevel: 'Session.level',
  OrgKeyScope: 'CreateOrgKey.scopes',
  PaidPlan: 'Checkout.plan',
  Plan: 'Credits.plan',
  Presence: 'Member.presence',
  ProjectAccess: 'Project.access',
  Role: 'Member.role',
  Scope: 'CreateKey.scopes',
  SessionAccess: 'Session.access',
  SessionKind: 'Session.kind',
  SessionStatus: 'Session.status',
  TaskPriority: 'Task.priority',
  TaskStatus: 'Task.status',
  TopupPack: 'Topup.pack',
};
/** Fields that hold a key's plaintext: `repr` leaves them out, so that they don't end up in logs. */
const SECRET_FIELDS = new Set(['key', 'secret']);
const KEYWORDS = new Set(['class', 'from', 'global', 'import', 'in', 'is', 'pass', 'return']);
const HEADER =
  '# Generated from openapi/*.json by scripts/generate.ts. Change the API, not this file.\n';
const SYNC = new URL('../../sdk-python/src/atrium/_sync/', import.meta.url);

/** The generated files of `sdk-python`, by path from the repository root. */
export function pythonFiles(documents: Documents): Record<string, string> {
  const files: Record<string, string> = {
    'sdk-python/src/atrium/types.py': typesFile(documents),
    'sdk-python/api.md': apiFile(documents),
    'sdk-python/src/atrium/_sync/memories.py': `# Generated from memory.py by scripts/generate.ts. Change that file, not this one.\n${v1Memories()}`,
  };
  for (const name of readdirSync(SYNC).toSorted()) {
    if (!name.endsWith('.py')) continue;
    const source = name === 'memories.py' ? v1Memories() : readSync(name);
    files[`sdk-python/src/atrium/_async/${name}`] =
      name === '__init__.py' ? asyncIndex(source) : asyncNamespace(name, source);
  }
  return files;
}

/** The v1 API has the same methods for memories as v2, under other paths. */
function v1Memories(): string {
  return readSync('memory.py')
    .replace('class Memory(', 'class Memories(')
    .replace(
      'Memories: notes you can search by meaning.',
      'ORG and PROJECT memories of the whole organisation, never PRIVATE ones.',
    )
    .replace('the memories you can see', "the organisation's ORG and PROJECT memories")
    .replaceAll('"/memory', '"/memories')
    .replaceAll('memoryId', 'id')
    .replaceAll('memory_id', 'id');
}

function readSync(name: string): string {
  return readFileSync(new URL(name, SYNC), 'utf8');
}

/** Fields that can't be null and are newer than the last release, and what an older server means by leaving them out. */
const NEW_FIELDS: Record<string, string> = {
  'Me.emailNotifications': '"MENTIONS"',
  'Member.presence': '"OFFLINE"',
  'AcceptedInvitation.presence': '"OFFLINE"',
  'Project.broadcasts': '"EVERYONE"',
  'Message.mentionedUserIds': 'Field(default_factory=list)',
  'Message.tasks': 'Field(default_factory=list)',
  'Message.previews': 'Field(default_factory=list)',
  'Message.branches': 'Field(default_factory=list)',
  'Session.access': '"PROJECT"',
  'Session.kind': '"PROJECT"',
  'Session.answersWithoutMention': 'False',
  'Session.isFollowed': 'True',
  'Session.isForEveryone': 'False',
  'Session.level': '"ALL"',
  'Session.muted': 'False',
  'SessionDetails.access': '"PROJECT"',
  'SessionDetails.kind': '"PROJECT"',
  'SessionDetails.answersWithoutMention': 'False',
  'SessionDetails.isFollowed': 'True',
  'SessionDetails.isForEveryone': 'False',
  'SessionDetails.level': '"ALL"',
  'SessionDetails.muted': 'False',
};

/** The models of responses. Request bodies have none: their fields are arguments of the methods. */
class Models {
  readonly texts = new Map<string, string>();
  readonly schemas: Record<string, Schema>;
  readonly results: Set<string>;
  /** The key is the values, joined. */
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
    if (!values) throw new Error(`ENUMS names ${place}, which has no list of values`);
    return values;
  }

  /** Adds a model after those it depends on, so that every name is defined before its use. */
  add(name: string, schema: Schema | undefined): void {
    if (!schema) throw new Error(`unknown schema ${name}`);
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
    return this.results.has(name) ? 'm.Result' : 'm.ResponsePart';
  }

  field(model: string, name: string, schema: Schema, required: string[]): string {
    const type = this.typeOf(model, name, schema);
    const optional = type.endsWith('| None') ? type : `${type} | None`;
    const value = SECRET_FIELDS.has(name) ? `${type} = Field(repr=False)` : type;
    // A server of the release before may not have the field yet, so what can be null can also be missing.
    const isNeeded = required.includes(name) && !isNullable(schema);
    const unsaid = NEW_FIELDS[`${model}.${name}`];
    const line = unsaid ? `${value} = ${unsaid}` : isNeeded ? value : `${optional} = None`;
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
  const results = new Set(
    endpointsOf(documents).flatMap(({ operation }) => resultName(operation) ?? []),
  );
  const schemas = schemasOf(documents);
  const models = new Models(schemas, results);
  for (const name of [...results, 'FieldError'].toSorted()) models.add(name, schemas[name]);
  const named = Object.entries(ENUMS).map(([name, place]) => alias(name, models.valuesAt(place)));
  const shared = Object.entries(schemas).flatMap(([name, schema]) =>
    schema.enum ? [alias(name, schema.enum) + docstring(schema.description, '')] : [],
  );
  const body = [...models.texts.values()].join('\n\n');
  return `${HEADER}"""Models of the API's responses. Times are timezone-aware datetimes."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from . import _models as m

${[...named, ...shared].join('')}

${body}`;
}

function alias(name: string, values: string[]): string {
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

/** One model for all variants of a response. Fields that only some of them have are optional. */
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

function snake(name: string): string {
  const text = name.replaceAll(/[A-Z]|(?<=[a-z])\d/g, (letter) => `_${letter.toLowerCase()}`);
  return KEYWORDS.has(text) ? `${text}_` : text;
}

/** Turns `def` into `async def`, except for lists and streams: they return something to iterate over. */
function asyncNamespace(name: string, source: string): string {
  const methods = source
    .replaceAll(/^class (\w+)\(Namespace\)/gm, 'class Async$1(AsyncNamespace)')
    .replaceAll(
      /^from \.\._namespace import Namespace$/gm,
      'from .._namespace import AsyncNamespace',
    )
    .replaceAll(/^from \.\._pages import Page$/gm, 'from .._pages import AsyncPager')
    .replaceAll(/^from \.\._download import Download$/gm, 'from .._download import AsyncDownload')
    .replaceAll(
      /^from \.\._streaming import EventStream$/gm,
      'from .._streaming import AsyncEventStream',
    )
    .replaceAll(
      /^ {4}def (\w+\([^:]*?(?:\n(?: {8}.*\n)+ {4})?\)|\w+\(.*\)) -> (.*):$/gm,
      asyncMethod,
    )
    .replaceAll(
      /^ {8}(return )?self\.(_call|_do|_download|_post_and_wait|_run)\(/gm,
      '        $1await self.$2(',
    );
  return `# Generated from ../_sync/${name} by scripts/generate.ts. Change that file, not this one.\n${methods}`;
}

function asyncMethod(_: string, signature: string, result: string): string {
  if (result === 'EventStream') return `    def ${signature} -> AsyncEventStream:`;
  const page = /^Page\[(.*)\]$/.exec(result)?.[1];
  const own = result === 'Download' ? 'AsyncDownload' : result;
  return page === undefined
    ? `    async def ${signature} -> ${own}:`
    : `    def ${signature} -> AsyncPager[${page}]:`;
}

function asyncIndex(source: string): string {
  const names = source
    .replace(/^""".*"""\n/, '')
    .replaceAll(/^(from \.\w+ import )(\w+)$/gm, '$1Async$2')
    .replaceAll(/^ {4}"(\w+)",$/gm, '    "Async$1",');
  return `# Generated from ../_sync/__init__.py by scripts/generate.ts. Change that file, not this one.${names.replace(/^\n*/, '\n\n')}`;
}

function apiFile(documents: Documents): string {
  const schemas = schemasOf(documents);
  return apiPage(documents, {
    heading: 'Methods of atrium-sdk',
    intro: `There is one method for each operation of the API. Arguments before \`*\` are positional, and arguments in brackets are
optional. Every method also takes \`timeout\`, \`max_retries\`, \`idempotency_key\` and \`headers\`. The async clients have the
same methods, awaited. A \`Page\` holds one page; iterate over it to get the items of all pages.`,
    clients: [
      { title: '`Atrium`, `AsyncAtrium`', version: 'v2' },
      { title: '`AtriumMemory`, `AsyncAtriumMemory`', version: 'v1' },
    ],
    describe: (endpoint) => ({
      signature: `${snake(endpoint.method)}(${argumentsOf(schemas, endpoint)})`,
      returns: returnType(schemas, endpoint),
    }),
  });
}

function argumentsOf(schemas: Record<string, Schema>, { operation }: Endpoint): string {
  const parameters = operation.parameters ?? [];
  const body = bodyOf(operation);
  const { properties, required } = merged((body && schemas[refName(body)]) ?? {});
  const keyword = (name: string, isRequired = false) =>
    isRequired ? snake(name) : `[${snake(name)}]`;
  const ids = parameters.filter((p) => p.in === 'path').map(({ name }) => snake(name));
  const keywords = [
    ...parameters.filter((p) => p.in === 'query').map((p) => keyword(p.name, p.required)),
    ...Object.keys(properties).map((name) => keyword(name, required.includes(name))),
  ];
  return [...ids, ...(keywords.length > 0 ? ['*'] : []), ...keywords].join(', ');
}

function returnType(schemas: Record<string, Schema>, { verb, operation }: Endpoint): string {
  if (isFile(operation)) return 'Download';
  const name = resultName(operation);
  if (isStream(operation)) return 'EventStream';
  if (!name) return 'None';
  const items = schemas[name]?.properties?.['items']?.items;
  return verb === 'get' && items ? `Page[${refName(items)}]` : name;
}
