import { useMemo } from 'react';
import { useAgentsIn, useModels } from '../../data/queries.ts';
import { countOf } from '../../ui/text/count-of.ts';
import { scoreMatch } from '../../ui/text/fuzzy-match.ts';

export interface AnswererOption {
  /** Empty: whoever answers by default. */
  slug: string;
  name: string;
  details: string;
  /** What else finds it. */
  about: string;
}

/** Everyone who can answer in the project, agents first. */
export function useAnswererOptions(
  projectId: string | undefined,
  projectDefault: string | null,
): AnswererOption[] {
  const { data: models } = useModels();
  const agents = useAgentsIn(projectId);
  return useMemo(() => {
    const named = agents.map(({ slug, name, description }) => ({
      slug,
      name,
      details: `@${slug}`,
      about: `${slug} ${description ?? ''} agent`,
    }));
    const listed = (models ?? []).map(({ slug, creditsPer1kTokens: credits }) => ({
      slug,
      name: slug,
      details: credits === 0 ? 'free' : `${countOf(credits, 'credit')} per 1,000 tokens`,
      about: 'model',
    }));
    const all = [...named, ...listed];
    const usual = projectDefault ?? models?.find(({ isDefault }) => isDefault)?.slug;
    const details = all.find(({ slug }) => slug === usual)?.name ?? usual ?? '';
    return [{ slug: '', name: 'Default', details, about: 'usual' }, ...all];
  }, [models, agents, projectDefault]);
}

/** Best match first, or all of them. */
export function findOptions(options: readonly AnswererOption[], query: string): AnswererOption[] {
  if (query.trim() === '') return [...options];
  return options
    .map((option) => ({ option, score: scoreMatch(query, option.name, option.about) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ option }) => option);
}
