import { AtriumError, type Agent } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { TEMPLATES } from './templates.ts';
import { bodyOf, findProblem, newValues, problemsOf, slugOf, valuesOf } from './values.ts';

const conflict = (reason: string, message = 'no') =>
  new AtriumError(message, { code: 'CONFLICT', status: 409, details: { reason } });

describe('an agent’s form', () => {
  it('sends back what it was given', () => {
    const agent = {
      slug: 'support',
      name: 'Support answers',
      description: null,
      instructions: 'Be brief.\n',
      model: null,
      tools: ['search_memory'],
      mcpServerIds: ['s'],
      projectIds: ['p', 'one you cannot see'],
      isEnabled: false,
    };
    expect(bodyOf(valuesOf(agent as unknown as Agent))).toEqual(agent);
    const everywhere = { ...agent, projectIds: [] } as unknown as Agent;
    expect(bodyOf(valuesOf(everywhere)).projectIds).toEqual([]);
  });

  it('proposes a mention until the person types one', () => {
    const values = { ...newValues(true), name: 'Café notes' };
    expect(slugOf(values)).toBe('cafe-notes');
    expect(slugOf({ ...values, slug: '' })).toBe('');
  });

  it('never takes no choice of projects for all of them', () => {
    expect(findProblem(newValues(true))).toEqual({});
    expect(findProblem(newValues(false))).toHaveProperty('projectIds');
    expect(findProblem({ ...newValues(false), projectIds: ['p'] })).toEqual({});
  });

  it('shows each error beside its field', () => {
    expect(problemsOf(conflict('slug_taken'), 'gpt')).toEqual({
      slug: expect.stringContaining('@gpt'),
    });
    expect(problemsOf(conflict('role', 'Only an OWNER …'), '')).toEqual({
      projectIds: 'Only an OWNER …',
    });
    expect(problemsOf(conflict('limit_reached'), '')).toEqual({});
    expect(problemsOf(new Error('offline'), '')).toEqual({});
  });

  it('takes a template as it is, and leaves the rest', () => {
    const [template] = TEMPLATES;
    if (!template) throw new Error('no templates');
    const body = bodyOf({ ...newValues(false), projectIds: ['p'], ...template });
    expect(body).toMatchObject({ ...template, projectIds: ['p'] });
  });
});
