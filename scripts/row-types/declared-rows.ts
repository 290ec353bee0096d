import {
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
} from 'typescript/unstable/ast/is';
import type { CallExpression, Node, SourceFile } from 'typescript/unstable/ast';
import { API, SymbolFlags, TypeFlags, type Checker, type Type } from 'typescript/unstable/sync';

/** A field of a row, as the code declares it. */
export interface DeclaredField {
  /** `string`, `Date`, `number[]`, …, without null. */
  kinds: ReadonlySet<string>;
  isNullable: boolean;
  isOptional: boolean;
}

/** A call that declares what the rows of a statement are. */
export interface DeclaredRows {
  /** From `server/`. */
  file: string;
  line: number;
  lastLine: number;
  fields: ReadonlyMap<string, DeclaredField>;
}

/** The functions whose rows are whatever the caller says. */
const SENDING = new Set(['query', 'sharedRead', 'queryWith']);
const STORE = /\/server\/(src\/(?!db\/).*\.ts)$/;

/** All calls in the server's code that declare rows. */
export function findDeclaredRows(root: string): DeclaredRows[] {
  const api = new API({ cwd: root });
  try {
    const config = `${root}/server/tsconfig.json`;
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`TypeScript has not opened ${config}`);
    const { checker, program } = project;
    return program.getSourceFileNames().flatMap((path) => {
      const [, file = ''] = STORE.exec(path) ?? [];
      const source =
        file === '' || file.endsWith('.test.ts') ? undefined : program.getSourceFile(path);
      return source ? rowsIn(checker, source, file) : [];
    });
  } finally {
    api.close();
  }
}

function rowsIn(checker: Checker, source: SourceFile, file: string): DeclaredRows[] {
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  return sendingCalls(source).flatMap((call) => {
    const row = rowOf(checker, call);
    if (!row) return [];
    const fields = fieldsOf(checker, row);
    return [{ file, line: lineAt(call.getStart(source)), lastLine: lineAt(call.end), fields }];
  });
}

/** All variants of a row come from one statement, so a field that one of them lacks is null there. */
function fieldsOf(checker: Checker, row: Type): Map<string, DeclaredField> {
  const variants = row.isUnionType() ? row.getTypes() : [row];
  const found = variants.flatMap((variant) => checker.getPropertiesOfType(variant));
  return new Map(
    [...Map.groupBy(found, ({ name }) => name)].map(([name, all]) => {
      const kinds = new Set(
        all.flatMap((field) => kindsOf(checker, checker.getTypeOfSymbol(field))),
      );
      const isNullable =
        kinds.delete('null') || kinds.has('unknown') || all.length < variants.length;
      const isOptional = all.some(({ flags }) => flags & SymbolFlags.Optional);
      kinds.delete('undefined');
      return [name, { kinds, isNullable, isOptional }];
    }),
  );
}

function sendingCalls(node: Node): CallExpression[] {
  const found: CallExpression[] = [];
  const visit = (each: Node): void => {
    if (isCallExpression(each) && SENDING.has(nameOf(each.expression))) found.push(each);
    each.forEachChild(visit);
  };
  visit(node);
  return found;
}

function nameOf(called: Node): string {
  if (isPropertyAccessExpression(called)) return called.name.text;
  return isIdentifier(called) ? called.text : '';
}

/** `Row` of the `Promise<Row[]>` that the call returns; undefined if it says nothing about its rows. */
function rowOf(checker: Checker, call: CallExpression): Type | undefined {
  const rows = argumentOf(checker, checker.getTypeAtLocation(call));
  const row = argumentOf(checker, rows);
  if (!row || row.isTypeParameter() || row.flags & TypeFlags.NonPrimitive) return undefined;
  return row;
}

function argumentOf(checker: Checker, type: Type | undefined): Type | undefined {
  return type?.isTypeReference() ? checker.getTypeArguments(type)[0] : undefined;
}

const BY_FLAG: readonly [TypeFlags, string][] = [
  [TypeFlags.StringLike, 'string'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.BooleanLike, 'boolean'],
  [TypeFlags.Null, 'null'],
  [TypeFlags.Undefined, 'undefined'],
  [TypeFlags.AnyOrUnknown, 'unknown'],
];
const BY_NAME: Readonly<Record<string, string>> = {
  Date: 'Date',
  Buffer: 'Buffer',
  Uint8Array: 'Buffer',
};

function kindsOf(checker: Checker, type: Type | undefined): string[] {
  if (!type) return ['unknown'];
  if (type.isUnionType() || type.isIntersectionType()) {
    return (type.getTypes() ?? []).flatMap((each) => kindsOf(checker, each));
  }
  const [, kind] = BY_FLAG.find(([flag]) => type.flags & flag) ?? [];
  if (kind !== undefined) return [kind];
  const name = type.getSymbol()?.name ?? '';
  if (name === 'Array' || name === 'ReadonlyArray') {
    const kinds = new Set(kindsOf(checker, argumentOf(checker, type)));
    kinds.delete('null');
    return [...kinds].map((each) => `${each}[]`);
  }
  return [BY_NAME[name] ?? 'object'];
}
