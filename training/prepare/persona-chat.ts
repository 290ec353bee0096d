import { readFileSync } from 'node:fs';
import { termsOf } from '../../server/src/text/words/terms.ts';
import { chance, pick, shuffle } from './chance.ts';
import type { Haystack, Question } from './haystack.ts';
import { askAbout } from './questions.ts';
import { readFileOf } from './repositories.ts';
import { anySpeaker, anyStyle, createCalendar, type Speaker } from './writing.ts';

interface Turn {
  /** 0 or 1. */
  by: number;
  text: string;
  questions: string[];
}

interface Exchange {
  turn: string;
  reply: string;
  questions: string[];
}

const CONVERSATIONS_TOGETHER = 14;
const EXCHANGES_EACH = 2;
const MOST_ANSWERS = 4;
const MOST_UNSURE = 6;

/** Chats of invented people, many between the same two, with questions by rules and hand-written exchanges. */
export function readPersonaChat(): Haystack[] {
  const conversations = shuffle(['valid', 'test'].flatMap(readConversations));
  const draw = createDeck(readExchanges());
  const haystacks: Haystack[] = [];
  for (let from = 0; from < conversations.length; from += CONVERSATIONS_TOGETHER) {
    const some = conversations.slice(from, from + CONVERSATIONS_TOGETHER);
    haystacks.push(weave(some, draw));
  }
  return haystacks;
}

function readConversations(part: string): Omit<Turn, 'questions'>[][] {
  const file = readFileOf(
    'google-research-datasets/Synthetic-Persona-Chat',
    `data/Synthetic-Persona-Chat_${part}.csv`,
  );
  return readCsv(file)
    .slice(1)
    .map((row) =>
      [...(row[2] ?? '').matchAll(/^User ([12]): (.*)$/gm)].map(([, who, text = '']) => ({
        by: Number(who) - 1,
        text: text.trim(),
      })),
    )
    .filter((turns) => turns.length > 0);
}

/** One a line: turn | reply | questions…, in which {S} said the turn and {O} the reply. At HANDWRITTEN. */
function readExchanges(): Exchange[] {
  const file = process.env['HANDWRITTEN'];
  if (file === undefined) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [turn = '', reply = '', ...questions] = line.split('|').map((part) => part.trim());
      return { turn, reply, questions };
    });
}

/** Each once, then all of them again in another order. */
function createDeck(exchanges: readonly Exchange[]): () => Exchange | undefined {
  let left: Exchange[] = [];
  return () => {
    if (left.length === 0) left = shuffle(exchanges);
    return left.pop();
  };
}

function weave(
  conversations: readonly Omit<Turn, 'questions'>[][],
  draw: () => Exchange | undefined,
): Haystack {
  const speakers = anyTwo();
  const [style, nextDay] = [anyStyle(), createCalendar()];
  const memories: string[] = [];
  const authors: number[] = [];
  const asked = new Map<string, Question & { by: number }>();
  for (const conversation of conversations) {
    const day = nextDay();
    for (const { by, text, questions } of withExchanges(conversation, speakers, draw)) {
      for (const question of questions) {
        const known = asked.get(question.toLowerCase());
        if (known) known.answers.push(memories.length);
        else asked.set(question.toLowerCase(), { text: question, answers: [memories.length], by });
      }
      memories.push(style((speakers[by] as Speaker).name, day, text));
      authors.push(by);
    }
  }
  return { source: 'spc', memories, questions: usefulOf([...asked.values()], memories, authors) };
}

function anyTwo(): [Speaker, Speaker] {
  const first = anySpeaker();
  let second = anySpeaker();
  while (second.name === first.name) second = anySpeaker();
  return [first, second];
}

function withExchanges(
  conversation: readonly Omit<Turn, 'questions'>[],
  speakers: [Speaker, Speaker],
  draw: () => Exchange | undefined,
): Turn[] {
  const turns: Turn[] = conversation.map((turn) => ({
    ...turn,
    questions: askAbout(turn.text, speakers[turn.by] as Speaker),
  }));
  for (let added = 0; added < EXCHANGES_EACH; added++) {
    const exchange = draw();
    if (!exchange) break;
    const by = chance() < 0.5 ? 0 : 1;
    const fill = (text: string) =>
      text
        .replaceAll('{S}', speakers[by].name)
        .replaceAll('{O}', (speakers[1 - by] as Speaker).name);
    const ending =
      chance() < 0.3 ? pick([' How about you?', ' Any tips?', " I'm so excited!"]) : '';
    const questions = exchange.questions.map(fill);
    turns.splice(
      Math.floor(chance() * (turns.length + 1)),
      0,
      { by, text: fill(exchange.turn) + ending, questions },
      { by: 1 - by, text: fill(exchange.reply), questions: [] },
    );
  }
  return turns;
}

/** What the same speaker says with all of a question's words may answer it too. */
function usefulOf(
  questions: readonly (Question & { by: number })[],
  memories: readonly string[],
  authors: readonly number[],
): Question[] {
  const terms = memories.map((memory) => new Set(termsOf(memory)));
  return questions.flatMap(({ text, answers, by }) => {
    const wanted = termsOf(text);
    const unsure = [...memories.keys()].filter(
      (at) =>
        authors[at] === by && !answers.includes(at) && wanted.every((term) => terms[at]?.has(term)),
    );
    const isUseful =
      wanted.length > 1 && answers.length <= MOST_ANSWERS && unsure.length <= MOST_UNSURE;
    return isUseful ? { text, answers, unsure } : [];
  });
}

function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  // A quoted cell, in which quotes are doubled, or a plain one, and what follows it.
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\r?\n|$)/g,
  )) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.some((cell) => cell !== ''));
}
