import { AtriumError, type ChosenModel, type OrgModelProvider } from '@atrium/sdk';
import { toSentence } from '../../../ui/text/sentence.ts';

/** A model as it is being chosen. Prices are texts while somebody types them. */
export interface Draft {
  model: string;
  slug: string;
  input: string;
  output: string;
  vision: boolean;
}

export function draftsOf({ models }: OrgModelProvider): Draft[] {
  return models.map(({ model, slug, creditsPerMillionTokens: { input, output }, vision }) => ({
    model,
    slug,
    input: String(input),
    output: String(output),
    vision,
  }));
}

export function newDraft(model: string, others: readonly Draft[], vision = false): Draft {
  return { model, slug: freeSlug(model, others), input: '0', output: '0', vision };
}

/** What to write after the @: `meta/Llama-3.2` becomes `llama-3.2`. */
export function slugOf(model: string): string {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return name
    .replace(/[^a-z0-9._:-]+/g, '-')
    .replace(/^[.:-]+/, '')
    .slice(0, 64)
    .replace(/[.:-]+$/, '');
}

function freeSlug(model: string, others: readonly Draft[]): string {
  const slug = slugOf(model);
  const isTaken = (name: string) => others.some((other) => other.slug === name);
  let free = slug;
  for (let number = 2; isTaken(free); number++) free = `${slug.slice(0, 60)}-${number}`;
  return free;
}

export function chosenOf(drafts: readonly Draft[]): ChosenModel[] {
  return drafts.map(({ model, slug, input, output, vision }) => ({
    model,
    slug,
    vision,
    creditsPerMillionTokens: { input: Number(input), output: Number(output) },
  }));
}

/** What is wrong with each model, by its mention. */
export function problemsOf(error: unknown, drafts: readonly Draft[]): Record<string, string> {
  if (!(error instanceof AtriumError)) return {};
  const { slug, errors = [] } = error.details as {
    slug?: string;
    errors?: { location: string; message: string }[];
  };
  if (error.reason === 'slug_taken' && slug !== undefined) return { [slug]: error.message };
  return Object.fromEntries(
    errors.flatMap(({ location, message }) => {
      const [, at, field = ''] = /^body\.models\[(\d+)\]\.(\w+)/.exec(location) ?? [];
      const draft = at === undefined ? undefined : drafts[Number(at)];
      const what = field === 'creditsPerMillionTokens' ? 'The price ' : 'The mention ';
      return draft ? [[draft.slug, toSentence(what + message)]] : [];
    }),
  );
}

/** Which of the offered models to show: all words of the query are in their names. */
export function matching<Offered extends { model: string; displayName: string | null }>(
  offered: readonly Offered[],
  query: string,
): Offered[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return offered.filter(({ model, displayName }) => {
    const text = `${model} ${displayName ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
