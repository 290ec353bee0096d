/** Spans in which a semicolon does not end a statement: quoted texts and names, bodies of functions, comments. */
const WHOLE = /'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** The statements of a script, in order. */
export function statementsOf(script: string): string[] {
  const ends: number[] = [];
  let from = 0;
  for (const { 0: whole, index } of script.matchAll(WHOLE)) {
    ends.push(...semicolonsIn(script, from, index));
    from = index + whole.length;
  }
  ends.push(...semicolonsIn(script, from, script.length), script.length);
  const statements = ends.map((end, at) =>
    script.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end),
  );
  return statements.map((text) => text.trim()).filter((text) => !isComment(text));
}

function semicolonsIn(script: string, from: number, to: number): number[] {
  return Array.from(script.slice(from, to).matchAll(/;/g), ({ index }) => from + index);
}

function isComment(text: string): boolean {
  return text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() === '';
}
