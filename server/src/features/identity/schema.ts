import { z } from 'zod';
import { ROLES } from '../../core/context.ts';
import { HANDLE } from '../../core/handle.ts';
import {
  clearable,
  handle,
  name,
  optional,
  pathId,
  recordId,
  text,
  timeZone,
} from '../../core/fields.ts';
import { PROFILE_FIELDS, StatusInput } from '../../core/profile.ts';
import { EMAIL_CHOICES } from './email-choices.ts';
import { MOST_BYTES } from './photos/image.ts';

export const Me = z
  .object({
    userId: recordId(),
    email: z.string(),
    name: z.string(),
    handle: handle(),
    emailNotifications: z
      .enum(EMAIL_CHOICES)
      .meta({ description: 'Which unread notifications of this organisation are emailed.' }),
    ...PROFILE_FIELDS,
    role: z.enum(ROLES),
    org: z.object({ id: recordId(), name: z.string() }),
    keyId: recordId().meta({ description: 'The key of this request.' }),
    scopes: z.array(z.string()).meta({ description: 'What the key may be used for.' }),
  })
  .meta({ id: 'Me' });

/** In base64. */
const MOST_PHOTO_CHARACTERS = Math.ceil(MOST_BYTES / 3) * 4;

export const UpdateMe = z
  .strictObject({
    name: optional(name()).meta({ description: 'The same in every organisation.' }),
    handle: optional(
      z
        .string()
        .regex(HANDLE, 'must be 2 to 32 of a-z, 0-9, ., _ and -, and begin with a letter or digit'),
    ).meta({ description: 'The name by which others mention you in this organisation.' }),
    emailNotifications: optional(z.enum(EMAIL_CHOICES)).meta({
      description: 'What you are emailed about in this organisation, if it stays unread.',
    }),
    title: clearable(name()).meta({ description: 'What you do in this organisation.' }),
    status: clearable(StatusInput).meta({
      description: 'What you are doing, shown in this organisation until it ends. Null ends it.',
    }),
    timeZone: clearable(timeZone()).meta({
      description: 'Where you are: others see your local time. The same in every organisation.',
    }),
    photo: clearable(
      z
        .string()
        .max(MOST_PHOTO_CHARACTERS, 'must be at most 256 kB')
        .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be a file in base64'),
    ).meta({
      contentEncoding: 'base64',
      description:
        'A JPEG, PNG or WebP of at most 256 kB, square, 32 to 256 pixels wide, in base64. What it says about itself, such as where it was taken, is not kept. The same in every organisation.',
    }),
  })
  .meta({ id: 'UpdateMe' });

export type UpdateMe = z.output<typeof UpdateMe>;

export const PhotoPath = z.object({
  userId: pathId('user'),
  photo: z.string().meta({
    description: 'The end of its path, from a record.',
    example: 'Qm9vPz3kR1x0cVt7uYhK2w',
  }),
});

export const DeleteAccount = z
  .strictObject({
    currentPassword: optional(text({ max: 1_000 })).meta({
      description: 'Not needed within 10 minutes of signing in with an email link.',
    }),
  })
  .meta({ id: 'DeleteAccount' });

/** In the browser there is no key, and there may be no org. */
export const MeInBrowser = Me.extend({
  emailNotifications: Me.shape.emailNotifications.nullable(),
  role: Me.shape.role.nullable(),
  org: Me.shape.org.nullable(),
  keyId: z.null(),
});
