import type { McpServer } from '@atrium/sdk';

export type AuthType = McpServer['authType'];

export const AUTH_TYPES: Record<
  AuthType,
  { name: string; secret?: { label: string; hint: string } }
> = {
  NONE: { name: 'None' },
  BEARER: {
    name: 'Bearer token',
    secret: {
      label: 'Token',
      hint: 'Sent as “Authorization: Bearer …”. Stored encrypted and never shown again.',
    },
  },
  API_KEY: {
    name: 'API key in a header',
    secret: {
      label: 'Header and key',
      hint: 'Write it as HeaderName:value, such as X-Api-Key:abc123. Stored encrypted and never shown again.',
    },
  },
};

export const AUTH_OPTIONS = (Object.keys(AUTH_TYPES) as AuthType[]).map((value) => ({
  value,
  name: AUTH_TYPES[value].name,
}));
