/**
 * Writes server/src/text/emoji/list.json. To be run only when the Unicode version of the list changes:
 *
 *   npm install --ignore-scripts --prefix /tmp/emoji emoji-datasource@16.0.0 emojibase-data@16.0.3
 *   node scripts/make-emoji-list.ts /tmp/emoji
 *
 * Both packages are large and nothing else needs them, so they are not dependencies.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** As Slack and Mattermost know them. */
interface Source {
  unified: string;
  short_names: string[];
  category: string;
  sort_order: number;
  skin_variations?: Record<string, { unified: string }>;
}

/** Names and keywords from Unicode's CLDR. */
interface Described {
  hexcode: string;
  label: string;
  tags?: string[];
}

const [folder = ''] = process.argv.slice(2);
const read = (path: string): unknown =>
  JSON.parse(readFileSync(join(folder, 'node_modules', path), 'utf8'));
const sources = read('emoji-datasource/emoji.json') as Source[];
const described = read('emojibase-data/en/data.json') as Described[];
const gitHubNames = read('emojibase-data/en/shortcodes/github.json') as Record<
  string,
  string | string[]
>;

/** Names that only Mattermost knows. */
const OTHER_NAMES: Record<string, string> = {
  blonde_man: '1F471-200D-2642',
  doctor: '1F9D1-200D-2695',
  ca: '1F1E8-1F1E6',
  pk: '1F1F5-1F1F0',
  za: '1F1FF-1F1E6',
};

const GROUPS = {
  'Smileys & Emotion': 'Smileys and emotion',
  'People & Body': 'People and body',
  'Animals & Nature': 'Animals and nature',
  'Food & Drink': 'Food and drink',
  'Travel & Places': 'Travel and places',
  Activities: 'Activities',
  Objects: 'Objects',
  Symbols: 'Symbols',
  Flags: 'Flags',
  Component: 'Parts of others',
};

const textOf = (hexcode: string) =>
  String.fromCodePoint(...hexcode.split('-').map((code) => Number.parseInt(code, 16)));
const bare = (text: string) => text.replaceAll('\uFE0F', '');

const byText = new Map(described.map((one) => [bare(textOf(one.hexcode)), one]));
const taken = new Set(sources.flatMap(({ short_names: names }) => names));
const moreNames = new Map<string, string[]>();
for (const [hexcode, names] of [
  ...Object.entries(gitHubNames),
  ...Object.entries(OTHER_NAMES).map(([name, hexcode]) => [hexcode, name] as const),
]) {
  // A few of GitHub's names mean another emoji in Slack and Mattermost.
  const free = [names].flat().filter((name) => !taken.has(name));
  const text = bare(textOf(hexcode));
  for (const name of free) taken.add(name);
  moreNames.set(text, [...(moreNames.get(text) ?? []), ...free]);
}

type Entry = [text: string, name: string, shortNames: string, keywords: string, tones?: string];

const groups = Object.entries(GROUPS).map(([category, name]) => ({
  name,
  emoji: sources
    .filter((source) => source.category === category)
    .toSorted((a, b) => a.sort_order - b.sort_order)
    .map(entryOf),
}));
// Recommended too, but no chat system has names for them.
const HAIR = ['1F9B0', '1F9B1', '1F9B2', '1F9B3'];
groups.at(-1)?.emoji.push(...HAIR.map((hexcode) => describe(textOf(hexcode), [])));

const lines = groups.map(
  (group) =>
    `{"name":${JSON.stringify(group.name)},"emoji":[\n${group.emoji.map((entry) => JSON.stringify(entry)).join(',\n')}\n]}`,
);
const path = join(import.meta.dirname, '../server/src/text/emoji/list.json');
writeFileSync(path, `[${lines.join(',\n')}]\n`);

function entryOf(source: Source): Entry {
  const text = textOf(source.unified);
  const names = [...source.short_names, ...(moreNames.get(bare(text)) ?? [])];
  const entry = describe(text, names);
  const variations = Object.entries(source.skin_variations ?? {});
  if (variations.length > 0) entry.push(tonesOf(variations));
  return entry;
}

function describe(text: string, shortNames: string[]): Entry {
  const { label = '', tags = [] } = byText.get(bare(text)) ?? {};
  const known = new Set([...wordsOf(label), ...shortNames.flatMap(wordsOf)]);
  const keywords = new Set(tags.flatMap(wordsOf).filter((word) => !known.has(word)));
  return [text, label, shortNames.join(' '), [...keywords].join(' ')];
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** How both tones are placed if there are two people, with 1 and 2 in their places. Otherwise `1`. */
function tonesOf(variations: [string, { unified: string }][]): string {
  const mixed = variations.find(([tones]) => tones === '1F3FB-1F3FC');
  if (!mixed) return '1';
  return textOf(mixed[1].unified).replace('\u{1F3FB}', '1').replace('\u{1F3FC}', '2');
}
