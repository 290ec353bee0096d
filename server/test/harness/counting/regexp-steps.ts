/**
 * Matches by backtracking, like V8, and counts the steps, so that the cost of a pattern on hostile text does
 * not depend on the machine. It supports only the syntax that our patterns use.
 */
export function createStepCounter(pattern: RegExp): (text: string, from: number) => Match {
  const program = compile(parse(pattern), 1, pattern);
  const { sticky, unicode } = pattern;
  return (text, from) => {
    let steps = 0;
    for (let at = from; at <= text.length; at++) {
      const tried = run(program, text, at, unicode);
      steps += tried.steps;
      if (tried.isMatch) return { isMatch: true, steps };
      if (sticky) break;
    }
    return { isMatch: false, steps };
  };
}

/** Ends the test before an exponential pattern makes it hang. */
const MOST_STEPS = 10_000_000;

export interface Match {
  isMatch: boolean;
  steps: number;
}

type Node =
  | { kind: 'one'; source: string }
  | { kind: 'assert'; source: string }
  | { kind: 'all'; parts: Node[] }
  | { kind: 'any'; choices: Node[] }
  | { kind: 'repeat'; of: Node; least: number; most: number; isLazy: boolean }
  | { kind: 'look'; of: Node; isBehind: boolean; isNegative: boolean };

const ATOM =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|.)|\[(?:\\.|[^\]\\])*\]|[^\\]/suy;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,?)(\d*)\})(\??)/y;
const GROUP = /\((?:\?(?:(<?[=!])|:|<\w+>))?/y;

function parse({ source }: RegExp): Node {
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found;
  };

  function choice(): Node {
    const choices = [sequence()];
    while (source[at] === '|') {
      at++;
      choices.push(sequence());
    }
    return { kind: 'any', choices };
  }

  function sequence(): Node {
    const parts: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated());
    return { kind: 'all', parts };
  }

  function repeated(): Node {
    const of = atom();
    const [text, least, comma, most, lazy] = take(QUANTIFIER) ?? [];
    if (text === undefined) return of;
    const isLazy = lazy === '?';
    const sign = text.charAt(0);
    if (sign === '{') {
      const upper = comma === '' ? Number(least) : most === '' ? Infinity : Number(most);
      return { kind: 'repeat', of, least: Number(least), most: upper, isLazy };
    }
    return {
      kind: 'repeat',
      of,
      least: sign === '+' ? 1 : 0,
      most: sign === '?' ? 1 : Infinity,
      isLazy,
    };
  }

  function atom(): Node {
    const group = take(GROUP);
    if (group) {
      const of = choice();
      at++;
      const look = group[1];
      if (look === undefined) return of;
      return { kind: 'look', of, isBehind: look.startsWith('<'), isNegative: look.endsWith('!') };
    }
    const [text = ''] = take(ATOM) ?? [];
    if (text === '') throw new Error(`unsupported syntax in /${source}/ at ${at}`);
    // A repeated character costs as much as any other.
    if (/^\\[1-9]$/.test(text)) return { kind: 'one', source: String.raw`[\s\S]` };
    const isAssert = text === '^' || text === '$' || text === '\\b' || text === '\\B';
    return { kind: isAssert ? 'assert' : 'one', source: text };
  }

  const whole = choice();
  if (at < source.length) throw new Error(`unsupported syntax in /${source}/ at ${at}`);
  return whole;
}

type Instruction =
  | { op: 'one'; fits: (letter: string) => boolean }
  | { op: 'assert'; holds: (text: string, at: number) => boolean }
  | { op: 'fork'; first: number; second: number }
  | { op: 'look'; program: Program; isNegative: boolean };
interface Program {
  instructions: Instruction[];
  direction: 1 | -1;
}

function compile(node: Node, direction: 1 | -1, pattern: RegExp): Program {
  const instructions: Instruction[] = [];
  const fork = () => {
    const made = { op: 'fork' as const, first: instructions.length + 1, second: -1 };
    instructions.push(made);
    return made;
  };
  const turn = (made: { first: number; second: number }, isLazy: boolean) => {
    if (isLazy) [made.first, made.second] = [made.second, made.first];
  };

  function emit(each: Node): void {
    if (each.kind === 'one')
      instructions.push({ op: 'one', fits: letterTest(each.source, pattern) });
    else if (each.kind === 'assert')
      instructions.push({ op: 'assert', holds: assertion(each.source, pattern) });
    else if (each.kind === 'all')
      for (const part of direction === 1 ? each.parts : each.parts.toReversed()) emit(part);
    else if (each.kind === 'look') {
      const program = compile(each.of, each.isBehind ? -1 : 1, pattern);
      instructions.push({ op: 'look', program, isNegative: each.isNegative });
    } else if (each.kind === 'any') emitChoices(each.choices);
    else emitRepeat(each);
  }

  function emitChoices(choices: Node[]): void {
    const ends: { first: number; second: number }[] = [];
    choices.forEach((choice, index) => {
      if (index === choices.length - 1) return emit(choice);
      const made = fork();
      emit(choice);
      ends.push(fork());
      made.second = instructions.length;
    });
    for (const end of ends) end.first = end.second = instructions.length;
  }

  function emitRepeat({ of, least, most, isLazy }: Extract<Node, { kind: 'repeat' }>): void {
    for (let count = 0; count < least; count++) emit(of);
    if (most === Infinity) {
      const start = instructions.length;
      const made = fork();
      emit(of);
      const back = fork();
      back.first = back.second = start;
      made.second = instructions.length;
      turn(made, isLazy);
      return;
    }
    const skips = Array.from({ length: most - least }, () => {
      const made = fork();
      emit(of);
      return made;
    });
    for (const made of skips) {
      made.second = instructions.length;
      turn(made, isLazy);
    }
  }

  emit(node);
  return { instructions, direction };
}

function letterTest(source: string, { flags }: RegExp): (letter: string) => boolean {
  const pattern = new RegExp(`^(?:${source})$`, flags.replaceAll(/[gy]/g, ''));
  const known = new Map<string, boolean>();
  return (letter) => {
    let fits = known.get(letter);
    if (fits === undefined) known.set(letter, (fits = pattern.test(letter)));
    return fits;
  };
}

function assertion(source: string, { multiline }: RegExp) {
  const isWord = (letter: string | undefined) => letter !== undefined && /\w/.test(letter);
  return (text: string, at: number) => {
    if (source === '^') return at === 0 || (multiline && text[at - 1] === '\n');
    if (source === '$') return at === text.length || (multiline && text[at] === '\n');
    const isEdge = isWord(text[at - 1]) !== isWord(text[at]);
    return isEdge === (source === '\\b');
  };
}

function run(
  { instructions, direction }: Program,
  text: string,
  from: number,
  unicode: boolean,
): Match {
  const untried = [0, from];
  let steps = 0;
  while (untried.length > 0) {
    let at = untried.pop() as number;
    let next = untried.pop() as number;
    for (; ; steps++) {
      const instruction = instructions[next];
      if (!instruction) return { isMatch: true, steps };
      next++;
      if (instruction.op === 'fork') {
        if (instruction.second !== instruction.first) untried.push(instruction.second, at);
        next = instruction.first;
      } else if (instruction.op === 'one') {
        const letter = letterAt(text, at, direction, unicode);
        if (letter === '' || !instruction.fits(letter)) break;
        at += direction * letter.length;
      } else if (instruction.op === 'assert') {
        if (!instruction.holds(text, at)) break;
      } else {
        const seen = run(instruction.program, text, at, unicode);
        steps += seen.steps;
        if (seen.isMatch === instruction.isNegative) break;
      }
    }
    steps++;
    if (steps > MOST_STEPS) throw new Error(`more than ${MOST_STEPS} steps for one match`);
  }
  return { isMatch: false, steps };
}

function letterAt(text: string, at: number, direction: 1 | -1, unicode: boolean): string {
  const start = direction === 1 ? at : at - 1;
  const letter = text.charAt(start);
  if (!unicode || letter === '') return letter;
  const pair = direction === 1 ? text.slice(at, at + 2) : text.slice(Math.max(0, at - 2), at);
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? pair : letter;
}
