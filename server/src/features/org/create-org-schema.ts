import { z } from 'zod';
import { ROLES } from '../../core/context.ts';
import { name, recordId, timestamp } from '../../core/fields.ts';

export const CreateOrg = z.strictObject({ name: name() }).meta({ id: 'CreateOrg' });

export const CreatedOrg = z
  .object({ id: recordId(), name: z.string(), role: z.enum(ROLES), createdAt: timestamp() })
  .meta({ id: 'CreatedOrg', description: 'The new organisation.' });
