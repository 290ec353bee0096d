import { z } from 'zod';
import { listOf, name, optional, pathId, recordId, timestamp } from '../../core/fields.ts';
import { ORG_KEY_SCOPES, SCOPES } from './scopes.ts';

const MAX_GRACE_SECONDS = 604_800;

const distinct = <T>(values: T[]) => [...new Set(values)];

const Metadata = z.object({
  id: recordId(),
  name: z.string(),
  prefix: z
    .string()
    .meta({ description: 'The first characters of the secret, to tell keys apart.' }),
  scopes: z.array(z.string()),
  createdAt: timestamp(),
  lastUsedAt: timestamp().nullable().meta({ description: 'Updated at most once a minute.' }),
  expiresAt: timestamp().nullable().meta({ description: 'Set when the key is rotated.' }),
  revokedAt: timestamp().nullable(),
});

export const Key = Metadata.meta({
  id: 'Key',
  description: 'A v2 key of one person in one organisation.',
});
export const KeyList = listOf(Key).meta({ id: 'KeyList' });
export const CreatedKey = Metadata.extend({
  secret: z.string().meta({ description: 'The key itself. Shown only once.' }),
}).meta({ id: 'CreatedKey' });

export const OrgKey = Metadata.extend({}).meta({
  id: 'OrgKey',
  description: 'A v1 key. It belongs to the organisation, not to a person.',
});
export const OrgKeyList = listOf(OrgKey).meta({ id: 'OrgKeyList' });
export const CreatedOrgKey = Metadata.extend({
  key: z
    .string()
    .meta({ description: 'The key itself, starting with `sk_live_`. Shown only once.' }),
}).meta({ id: 'CreatedOrgKey' });

const Rotation = z.object({
  id: recordId().meta({ description: 'The new key.' }),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  createdAt: timestamp(),
  replacedKeyId: recordId(),
  expiresAt: timestamp().meta({ description: 'When the replaced key stops working.' }),
});
export const RotatedKey = Rotation.extend({ secret: CreatedKey.shape.secret }).meta({
  id: 'RotatedKey',
});
export const RotatedOrgKey = Rotation.extend({ key: CreatedOrgKey.shape.key }).meta({
  id: 'RotatedOrgKey',
});

export const CreateKey = z
  .strictObject({
    name: name().meta({ description: 'A label shown in lists.' }),
    scopes: z.array(z.enum(SCOPES)).min(1).max(100).transform(distinct),
  })
  .meta({ id: 'CreateKey' });

export const CreateOrgKey = z
  .strictObject({
    name: name().meta({ description: 'A label shown in lists.' }),
    scopes: optional(z.array(z.enum(ORG_KEY_SCOPES)).min(1).max(100).transform(distinct)).meta({
      description: 'Default: both.',
    }),
  })
  .meta({ id: 'CreateOrgKey' });

export const RotateKey = z
  .strictObject({
    gracePeriodSeconds: optional(z.int().min(0).max(MAX_GRACE_SECONDS)).meta({
      description:
        'How long the old key keeps working. Default: 0. A key that rotates itself keeps working for at least 60 seconds.',
    }),
  })
  .meta({ id: 'RotateKey' });

export const KeyPath = z.object({ keyId: pathId('key') });
export const OrgPath = z.object({ orgId: pathId('org') });
export const OrgKeyPath = OrgPath.extend(KeyPath.shape);
