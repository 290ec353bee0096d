import { chance, pick } from './chance.ts';

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const WOMEN =
  'Alice Amara Beth Clara Diana Elena Fiona Grace Hannah Ines Julia Laura Leah Maya Nadia Nora Olivia Paula Priya Rosa Ruth Sara Sofia Tara Vera Yara Zoe'.split(
    ' ',
  );
const MEN =
  'Adam Ahmed Ben Carlos Daniel David Eric Felix George Hassan Hugo Ivan Jack Jonas Karl Leo Liam Marco Max Noah Omar Oscar Paul Ravi Simon Tom Victor'.split(
    ' ',
  );

export interface Speaker {
  name: string;
  isShe: boolean;
}

export function anySpeaker(): Speaker {
  const isShe = chance() < 0.5;
  return { name: pick(isShe ? WOMEN : MEN), isShe };
}

export interface Moment {
  year: number;
  month: number;
  day: number;
}

/** Days in order, up to two weeks apart. */
export function createCalendar(): () => Moment {
  let day = Math.floor(chance() * 28);
  let month = Math.floor(chance() * 12);
  let year = 2021 + Math.floor(chance() * 4);
  return () => {
    day += 1 + Math.floor(chance() * 14);
    if (day >= 28) [day, month] = [day - 28, month + 1];
    if (month > 11) [month, year] = [0, year + 1];
    return { year, month, day: day + 1 };
  };
}

/** How a turn becomes a memory. */
export type Style = (name: string, at: Moment, text: string) => string;

/** Mostly with name and time, as conversations are exported; at times otherwise. */
export function anyStyle(): Style {
  const drawn = chance();
  if (drawn < 0.7) return (name, at, text) => `${name} (${longDate(at)}): ${text}`;
  if (drawn < 0.8) return (name, at, text) => `${name} (${isoDate(at)}): ${text}`;
  if (drawn < 0.92) return (name, _, text) => `${name}: ${text}`;
  return (name, { year, month, day }, text) => `[${day} ${MONTHS[month]} ${year}] ${name}: ${text}`;
}

function longDate({ year, month, day }: Moment): string {
  const hour = 1 + Math.floor(chance() * 12);
  const minute = String(Math.floor(chance() * 60)).padStart(2, '0');
  return `${hour}:${minute} ${pick(['am', 'pm'])} on ${day} ${MONTHS[month]}, ${year}`;
}

function isoDate({ year, month, day }: Moment): string {
  return `${year}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** Joins what a tokenizer has taken apart. */
export function joinTokens(text: string): string {
  return text
    .replaceAll(/ (n't|'s|'re|'ve|'ll|'d|'m)\b/g, '$1')
    .replaceAll(/ ([.,!?;:])/g, '$1')
    .replaceAll(/`` ?| ?''/g, '"');
}
