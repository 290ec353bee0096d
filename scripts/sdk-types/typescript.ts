/**
 * Generates the types of `sdk-js`, its `api.md`, and the signatures that its parity test expects.
 * The methods themselves are written by hand. `generate.ts` formats the code.
 */
import {
  apiPage,
  bodyOf,
  endpointsOf,
  hasRange,
  isFile,
  isStream,
  refName,
  resultName,
  schemasOf,
  type Documents,
  type Endpoint,
  type Operation,
  type Schema,
} from './openapi.ts';

interface Signature {
  pathNames: string[];
  /** The type of the `params` argument, if the method takes one. */
  params: { type: string; isRequired: boolean } | undefined;
  result: string;
}

const HEADER =
  '// Generated from openapi/*.json by scripts/generate.ts. Change the API, not this file.\n';

/** The generated files of `sdk-js`, by path from the repository root. */
export function typescriptFiles(documents: Documents): Record<string, string> {
  return {
    'sdk-js/src/types.ts': typesFile(documents),
    'sdk-js/test/expected-methods.ts': expectedFile(documents),
    'sdk-js/api.md': apiFile(documents),
  };
}

function typesFile(documents: Documents): string {
  const types = new Map(Object.entries(schemasOf(documents)));
  for (const { operation } of endpointsOf(documents)) {
    const query = queryOf(operation);
    if (query) addType(types, paramsName(operation), query);
  }
  const names = [...types.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  const texts = names.map((name) => declaration(name, types.get(name) ?? {}));
  return `${HEADER}/* oxlint-disable max-lines */\n\n${texts.join('\n')}`;
}

function addType(types: Map<string, Schema>, name: string, schema: Schema): void {
  const known = types.get(name);
  if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two operations define ${name} differently; rename one of them`);
  }
  types.set(name, schema);
}

function queryOf({ parameters = [], summary }: Operation): Schema | undefined {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  if (query.length === 0) return undefined;
  return {
    type: 'object',
    description: `The query of "${summary}".`,
    properties: Object.fromEntries(
      query.map(({ name, schema, description }) => [
        name,
        { ...schema, ...(description !== undefined && { description }) },
      ]),
    ),
    required: query.flatMap(({ name, required }) => (required ? [name] : [])),
  };
}

function paramsName({ operationId }: Operation): string {
  const name = operationId.replace(/^v1/, '');
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Params`;
}

function declaration(name: string, schema: Schema): string {
  const comment = docComment(schema);
  return schema.properties
    ? `${comment}export interface ${name} ${typeOf(schema)}\n`
    : `${comment}export type ${name} = ${typeOf(schema)};\n`;
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return refName(schema);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  }
  switch (schema.type) {
    case 'object':
      return schema.properties ? objectType(schema) : 'Record<string, unknown>';
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`;
    case 'integer':
    case 'number':
      return 'number';
    case undefined:
      return 'unknown';
    default:
      return schema.type;
  }
}

function objectType({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${docComment(property)}${name}${mark}: ${typeOf(property)};\n`;
  });
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}}`;
}

function docComment(schema: Schema): string {
  const words = [schema.description, boundsOf(schema)].filter(Boolean).join(' ');
  return words === '' ? '' : `/** ${words} */\n`;
}

/** What the server accepts, in words. */
function boundsOf(schema: Schema): string {
  const value = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  const { minLength = 0, maxLength, minimum, maximum, maxItems, items } = value;
  const bounds: string[] = [];
  if (maxLength !== undefined) {
    bounds.push(
      minLength > 0 ? `${minLength} to ${maxLength} characters.` : `Up to ${maxLength} characters.`,
    );
  }
  if (minimum !== undefined && maximum !== undefined && maximum < 2_147_483_647) {
    bounds.push(`From ${minimum} to ${maximum}.`);
  }
  if (maxItems !== undefined) {
    const each = items?.maxLength === undefined ? '' : ` of up to ${items.maxLength} characters`;
    bounds.push(`Up to ${maxItems} items${each}.`);
  }
  if (value.format === 'date-time') bounds.push('ISO 8601.');
  if (value.format === 'date') bounds.push('`YYYY-MM-DD`.');
  return bounds.join(' ');
}

function expectedFile(documents: Documents): string {
  const endpoints = endpointsOf(documents);
  const interfaceOf = (name: string, version: string) => {
    const own = endpoints.filter((endpoint) => endpoint.version === version);
    return `\nexport interface ${name} {\n${own.map((one) => expectedMethod(documents, one)).join('')}}\n`;
  };
  return `${HEADER}/* oxlint-disable max-lines */
import type { Call, DownloadOptions, EventStream, PageCall, RequestOptions } from '../src/index.ts';
import type * as T from '../src/types.ts';
${interfaceOf('ExpectedOfAtrium', 'v2')}${interfaceOf('ExpectedOfAtriumMemory', 'v1')}`;
}

function expectedMethod(documents: Documents, endpoint: Endpoint): string {
  const { namespace, method, verb, path } = endpoint;
  const { pathNames, params, result } = signatureOf(documents, endpoint);
  const parameters = pathNames.map((name) => `${name}: string`);
  if (params) parameters.push(`params${params.isRequired ? '' : '?'}: T.${params.type}`);
  const options = hasRange(endpoint.operation) ? 'DownloadOptions' : 'RequestOptions';
  parameters.push(`options?: ${options}`);
  return `/** ${verb.toUpperCase()} ${path} */\n'${namespace}.${method}': (${parameters.join(', ')}) => ${result};\n`;
}

function signatureOf(documents: Documents, { verb, operation }: Endpoint): Signature {
  return {
    pathNames: (operation.parameters ?? []).flatMap((p) => (p.in === 'path' ? [p.name] : [])),
    params: paramsOf(verb, operation),
    result: resultOf(documents, operation),
  };
}

/** The API accepts an empty PATCH, but a call that changes nothing is a mistake. */
function paramsOf(verb: string, operation: Operation): Signature['params'] {
  const query = queryOf(operation);
  const body = bodyOf(operation);
  if (query && body) throw new Error(`${operation.operationId} has both a query and a body`);
  if (query) return { type: paramsName(operation), isRequired: query.required?.length !== 0 };
  const isRequired = operation.requestBody?.required === true || verb === 'patch';
  return body && { type: refName(body), isRequired };
}

/** `Call<Project>`, or `PageCall<Project>` for a list. */
function resultOf(documents: Documents, operation: Operation): string {
  if (isFile(operation)) return 'Call<ReadableStream<Uint8Array>>';
  const name = resultName(operation);
  if (isStream(operation)) return 'EventStream';
  if (!name) return 'Call<void>';
  const items = schemasOf(documents)[name]?.properties?.['items']?.items;
  const isList = items?.$ref !== undefined && /^(v1L|l)ist/.test(operation.operationId);
  return isList ? `PageCall<T.${refName(items)}>` : `Call<T.${name}>`;
}

function apiFile(documents: Documents): string {
  return apiPage(documents, {
    heading: 'Methods of @atrium/sdk',
    intro: `There is one method for each operation of the API. Every method takes \`options\` (\`timeout\`, \`maxRetries\`,
\`idempotencyKey\`, \`signal\`, \`headers\`) as its last argument. Await a \`Page\` to get one page, or iterate over it to get
the items of all pages.`,
    clients: [
      { title: '`Atrium`', version: 'v2' },
      { title: '`AtriumMemory`', version: 'v1' },
    ],
    describe(endpoint) {
      const { pathNames, params, result } = signatureOf(documents, endpoint);
      const names = [...pathNames, ...(params ? [`params${params.isRequired ? '' : '?'}`] : [])];
      return {
        signature: `${endpoint.method}(${names.join(', ')})`,
        returns: result
          .replace(/^Call<(.*)>$/, '$1')
          .replace('PageCall', 'Page')
          .replace('T.', ''),
      };
    },
  });
}
