import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';

/** Where `@model` looks for who answers it, in this order. */
export interface Choices {
  model: string | null;
  defaultAgent: string | null;
  projectDefaultAgent: string | null;
}

/** The slug that `@model` stands for in a session: its own choice, its Project's, or the server's. */
export function modelOf(
  { models }: Pick<Context, 'models'>,
  { model, defaultAgent, projectDefaultAgent }: Choices,
): string {
  return model ?? defaultAgent ?? projectDefaultAgent ?? models.defaultSlug;
}

export function requireKnownModel(
  { models }: Pick<Context, 'models'>,
  field: 'defaultAgent' | 'model',
  slug: string | null | undefined,
): void {
  if (slug == null || models.find(slug)) return;
  const known = models.list().map((model) => model.slug);
  const message = `is not a configured model; available: ${known.join(', ')}`;
  throw invalid([{ location: `body.${field}`, code: 'invalid_value', message }]);
}
