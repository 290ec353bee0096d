/**
 * Writes what `sdk-js` has from the OpenAPI documents: the types, `api.md`, and the signatures its
 * parity test demands. The methods themselves are written by hand.
 */
import { readFileSync } from 'node:fs';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  description?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
  'x-scope'?: string;
  'x-extension'?: boolean;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Documents {
  v2: OpenApiDocument;
  v1: OpenApiDocument;
  /** `operationId` to `namespace.method`. */
  methods: Record<string, string>;
}

/** One method of the SDK, and the operation it calls. */
interface Method {
  /** `projects.list` */
  name: string;
  surface: 'v1' | 'v2';
  endpoint: string;
  operation: Operation;
  pathNames: string[];
  /** The type of its params object, where it takes one. */
  params?: { type: string; isRequired: boolean };
  result: string;
}

const HEADER =
  '// Generated from openapi/*.json by scripts/generate.ts: change the API, not this file.\n';
const WIDTH = 100;

/** The generated files of `sdk-js`, by their path from the root. */
export function typescriptFiles(documents: Documents = readDocuments()): Record<string, string> {
  const types = collectTypes(documents);
  const methods = collectMethods(documents, types);
  return {
    'sdk-js/src/types.ts': typesFile(types),
    'sdk-js/test/expected-methods.ts': expectedFile(methods),
    'sdk-js/api.md': apiFile(methods),
  };
}

function readDocuments(): Documents {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../openapi/${name}.json`, import.meta.url), 'utf8'));
  return { v2: read('v2'), v1: read('v1'), methods: read('sdk-methods') };
}

/** Every type's text by its name. What v1 has differently gets a name of its own. */
function collectTypes({ v2, v1 }: Documents): Map<string, string> {
  const types = new Map<string, string>();
  for (const [surface, document] of [['v2', v2] as const, ['v1', v1] as const]) {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      addType(types, surface, name, declaration(name, schema));
    }
    for (const { operation } of operationsOf(document)) {
      const query = queryOf(operation);
      if (!query) continue;
      const name = paramsName(operation);
      addType(types, surface, name, declaration(name, query));
    }
  }
  return types;
}

function addType(types: Map<string, string>, surface: string, name: string, text: string): void {
  const known = types.get(name);
  if (known === undefined) types.set(name, text);
  else if (known !== text) throw new Error(`${surface} has another ${name} than v2: name it apart`);
}

function collectMethods({ v2, v1, methods }: Documents, types: Map<string, string>): Method[] {
  const found: Method[] = [];
  for (const [surface, document] of [['v2', v2] as const, ['v1', v1] as const]) {
    for (const { verb, path, operation } of operationsOf(document)) {
      const name = methods[operation.operationId];
      if (!name)
        throw new Error(`openapi/sdk-methods.json has no name for ${operation.operationId}`);
      const params = paramsOf(verb, operation);
      found.push({
        name,
        surface,
        endpoint: `${verb.toUpperCase()} ${path}`,
        operation,
        pathNames: (operation.parameters ?? []).flatMap((p) => (p.in === 'path' ? [p.name] : [])),
        ...(params && { params }),
        result: resultOf(document, operation, types),
      });
    }
  }
  return found;
}

function* operationsOf(document: OpenApiDocument) {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [verb, operation] of Object.entries(item)) yield { verb, path, operation };
  }
}

function queryOf(operation: Operation): Schema | undefined {
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  if (query.length === 0) return undefined;
  return {
    type: 'object',
    description: `The query of "${operation.summary}".`,
    properties: Object.fromEntries(
      query.map(({ name, schema, description }) => [
        name,
        { ...schema, ...(description !== undefined && { description }) },
      ]),
    ),
    required: query.flatMap(({ name, required }) => (required ? [name] : [])),
  };
}

function paramsName(operation: Operation): string {
  const name = operation.operationId.replace(/^v1/, '');
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Params`;
}

/** An update needs to say what to change, though the API takes an empty one. */
function paramsOf(verb: string, operation: Operation): Method['params'] {
  const query = queryOf(operation);
  const { requestBody } = operation;
  if (query && requestBody) throw new Error(`${operation.operationId} has a query and a body`);
  if (query) return { type: paramsName(operation), isRequired: query.required?.length !== 0 };
  const schema = requestBody?.content['application/json']?.schema;
  const isRequired = requestBody?.required === true || verb === 'patch';
  return schema && { type: refName(schema), isRequired };
}

/** `Call<Project>`; a list of pages is `PageCall<Project>`. */
function resultOf(document: OpenApiDocument, operation: Operation, types: Map<string, string>) {
  const [, success] = Object.entries(operation.responses).find(([status]) => status < '300') ?? [];
  const data = success?.content?.['application/json']?.schema.properties?.['data'];
  if (!data) return 'Call<void>';
  const name = refName(data);
  if (!types.has(name)) throw new Error(`${operation.operationId} answers an unknown ${name}`);
  const items = document.components.schemas[name]?.properties?.['items']?.items;
  const isList = items?.$ref !== undefined && operation.operationId.match(/^(v1L|l)ist/) !== null;
  return isList ? `PageCall<T.${refName(items)}>` : `Call<T.${name}>`;
}

function refName({ $ref = '' }: Schema): string {
  const name = $ref.split('/').at(-1);
  if (!name)
    throw new Error('a body or an answer without a name of its own: give its schema an id');
  return name;
}

function typesFile(types: Map<string, string>): string {
  const names = [...types.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  const texts = names.map((name) => types.get(name));
  return `${HEADER}/* oxlint-disable max-lines */\n\n${texts.join('\n')}`;
}

function declaration(name: string, schema: Schema): string {
  const comment = docComment(schema, '');
  if (!schema.properties) return `${comment}${typeLine(`export type ${name} =`, schema)}`;
  return `${comment}export interface ${name} ${objectBody(schema, '')}\n`;
}

/** A union that does not fit its line has a line for each of its members, as the formatter wants it. */
function typeLine(start: string, schema: Schema): string {
  const line = `${start} ${typeOf(schema, '')};`;
  if (line.length <= WIDTH && !line.includes('\n')) return `${line}\n`;
  const members = (schema.anyOf ?? []).map((member) => `\n  | ${typeOf(member, '    ')}`);
  const values = (schema.enum ?? []).map((value) => `\n  | '${value}'`);
  return `${start}${[...members, ...values].join('')};\n`;
}

function objectBody(schema: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const mark = schema.required?.includes(name) ? '' : '?';
    return `${docComment(property, inner)}${propertyLine(`${inner}${name}${mark}:`, property, inner)}`;
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
}

function propertyLine(start: string, schema: Schema, indent: string): string {
  const line = `${start} ${typeOf(schema, indent)};`;
  if (line.length <= WIDTH || line.includes('\n')) return `${line}\n`;
  const members = (of: Schema) => of.enum?.map((value) => `\n${indent}  | '${value}'`).join('');
  if (schema.items) return `${start} (${members(schema.items)}\n${indent})[];\n`;
  return `${start}${members(schema)};\n`;
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return refName(schema);
  if (schema.anyOf) return schema.anyOf.map((member) => typeOf(member, indent)).join(' | ');
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'");
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  }
  switch (schema.type) {
    case 'object':
      return schema.properties ? objectBody(schema, indent) : 'Record<string, unknown>';
    case 'array': {
      const item = typeOf(schema.items ?? {}, indent);
      return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
    }
    case 'integer':
    case 'number':
      return 'number';
    case undefined:
      return 'unknown';
    default:
      return schema.type;
  }
}

function docComment(schema: Schema, indent: string): string {
  const words = [schema.description, boundsOf(schema)].filter(Boolean).join(' ');
  if (words === '') return '';
  const line = `${indent}/** ${words} */`;
  if (line.length <= WIDTH) return `${line}\n`;
  const lines = wrap(words, WIDTH - indent.length - 3).map((text) => `${indent} * ${text}\n`);
  return `${indent}/**\n${lines.join('')}${indent} */\n`;
}

/** What the server will refuse, in words. */
function boundsOf(schema: Schema): string {
  const value = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  const { minLength = 0, maxLength, minimum, maximum, maxItems, items } = value;
  const said: string[] = [];
  if (maxLength !== undefined) {
    said.push(
      minLength > 0 ? `${minLength} to ${maxLength} characters.` : `Up to ${maxLength} characters.`,
    );
  }
  if (minimum !== undefined && maximum !== undefined && maximum < 2_147_483_647) {
    said.push(`From ${minimum} to ${maximum}.`);
  }
  if (maxItems !== undefined) {
    const each = items?.maxLength === undefined ? '' : ` of up to ${items.maxLength} characters`;
    said.push(`Up to ${maxItems}${each}.`);
  }
  if (value.format === 'date-time') said.push('ISO 8601.');
  if (value.format === 'date') said.push('`YYYY-MM-DD`.');
  return said.join(' ');
}

function wrap(words: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function expectedFile(methods: Method[]): string {
  const surfaces = (['v2', 'v1'] as const).map((surface) => {
    const lines = methods.filter((method) => method.surface === surface).map(signature);
    const name = surface === 'v2' ? 'ExpectedOfAtrium' : 'ExpectedOfAtriumMemory';
    return `\nexport interface ${name} {\n${lines.join('')}}\n`;
  });
  return `${HEADER}import type { Call, PageCall, RequestOptions } from '../src/index.ts';
import type * as T from '../src/types.ts';
${surfaces.join('')}`;
}

function signature({ name, endpoint, pathNames, params, result }: Method): string {
  const parameters = pathNames.map((path) => `${path}: string`);
  if (params) parameters.push(`params${params.isRequired ? '' : '?'}: T.${params.type}`);
  parameters.push('options?: RequestOptions');
  const line = `  '${name}': (${parameters.join(', ')}) => ${result};`;
  const broken = `  '${name}': (\n    ${parameters.join(',\n    ')},\n  ) => ${result};`;
  return `  /** ${endpoint} */\n${line.length <= WIDTH ? line : broken}\n`;
}

function apiFile(methods: Method[]): string {
  const clients = [
    ['`Atrium`', 'v2', 'Base URL `<origin>/api`, keys `atr_…`.'],
    ['`AtriumMemory`', 'v1', 'Base URL `<origin>/api/v1`, keys `sk_live_…`.'],
  ] as const;
  const sections = clients.map(([title, surface, where]) => {
    const own = methods.filter((method) => method.surface === surface);
    const namespaces = [...new Set(own.map(({ name }) => name.split('.')[0] ?? ''))];
    const tables = namespaces.map((namespace) => {
      const rows = own.filter(({ name }) => name.startsWith(`${namespace}.`)).map(apiRow);
      return `### \`client.${namespace}\`\n\n| Method | Endpoint | Returns | Scope |\n|---|---|---|---|\n${rows.join('')}`;
    });
    return `## ${title}\n\n${where}\n\n${tables.join('\n')}`;
  });
  return `<!-- Generated from openapi/*.json by scripts/generate.ts: change the API, not this file. -->
# Methods of @atrium/sdk

One method for each operation of the API. Every method takes \`options\` (\`timeout\`, \`maxRetries\`, \`idempotencyKey\`,
\`signal\`, \`headers\`) as its last argument. A \`Page\` can be awaited for one page, and iterated over for all of them.
\\* an extension: not in the core of the specification.

${sections.join('\n')}`;
}

function apiRow({ name, endpoint, operation, pathNames, params, result }: Method): string {
  const parameters = [...pathNames, ...(params ? [`params${params.isRequired ? '' : '?'}`] : [])];
  const returns = result
    .replace(/^Call<(.*)>$/, '$1')
    .replace('PageCall', 'Page')
    .replace('T.', '');
  const star = operation['x-extension'] ? ' \\*' : '';
  const method = name.split('.')[1] ?? '';
  const scope = operation['x-scope'] ? `\`${operation['x-scope']}\`` : '';
  return `| \`${method}(${parameters.join(', ')})\` | \`${endpoint}\`${star} | \`${returns}\` | ${scope} |\n`;
}
