import { z } from 'zod';
import { isEmail } from '../../../core/email.ts';
import { name, optional, text } from '../../../core/fields.ts';

export const email = () => z.string().trim().refine(isEmail, 'must be an email address');

const returnTo = () =>
  text({ max: 2048 }).refine(isLocalPath, 'must be a path on this site, such as /spaces/pricing');

/** `//host` and `\` lead to another site, and browsers drop control characters. */
function isLocalPath(path: string): boolean {
  return path.startsWith('/') && !path.includes('//') && !/[\\\p{Cc}]/u.test(path);
}

export const RequestLink = z.strictObject({ email: email(), returnTo: optional(returnTo()) });
export const SentLink = z.object({ email: z.string() });

const token = () => text({ max: 200 });

/** For an invited person without an account. */
export const SignUp = z.strictObject({ token: token(), name: name() });

/** Of any length; the length rules only apply when a password is set. */
const anyPassword = () => text({ max: 1_000 });

export const SignIn = z
  .strictObject({
    token: optional(token()),
    email: optional(email()),
    password: optional(anyPassword()),
  })
  .transform((body, context) => {
    if (body.token !== undefined && body.email === undefined && body.password === undefined) {
      return { token: body.token };
    }
    if (body.token === undefined && body.email !== undefined && body.password !== undefined) {
      return { email: body.email, password: body.password };
    }
    context.addIssue({
      code: 'custom',
      params: { code: 'required' },
      message: 'must have a token, or an email and a password',
    });
    return z.NEVER;
  });
