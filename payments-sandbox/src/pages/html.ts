/** Markup that is safe to send: the template escapes every part that is not markup itself. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | undefined | readonly Part[];

export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  const rest = strings.slice(1).map((text, at) => render(parts[at]) + text);
  return { markup: (strings[0] ?? '') + rest.join('') };
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'markup' in part ? part.markup : part.map(render).join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const MONEY = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

export function money(cents: number): string {
  return MONEY.format(cents / 100);
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export function day(seconds: number): Markup {
  const date = new Date(seconds * 1000);
  return html`<time datetime="${date.toISOString()}">${DAY.format(date)}</time>`;
}
