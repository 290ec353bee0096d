import { expect, it } from 'vitest';
import { CreateAgent } from '../../../../../server/src/features/agents/schema.ts';
import { TEMPLATES } from './templates.ts';

it('each template can be created as it is, and none is there twice', () => {
  for (const template of TEMPLATES) expect(CreateAgent.parse(template)).toEqual(template);
  expect(new Set(TEMPLATES.map(({ slug }) => slug)).size).toBe(TEMPLATES.length);
});
