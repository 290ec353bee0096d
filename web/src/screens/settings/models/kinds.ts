import type { OrgModelProvider } from '@atrium/sdk';

export type ProviderKind = OrgModelProvider['kind'];

interface KindWords {
  name: string;
  /** What it is for, in the list of kinds. */
  hint: string;
  keyHint: string;
  /** An example, and for some the address that is used if none is given. */
  address: string;
  addressHint: string;
  needsKey: boolean;
  needsAddress: boolean;
}

export const KINDS: Record<ProviderKind, KindWords> = {
  openai: {
    name: 'OpenAI',
    hint: 'GPT models, with a key from platform.openai.com',
    keyHint: 'Create one at platform.openai.com, under API keys.',
    address: 'https://api.openai.com/v1',
    addressHint: 'Leave it empty for OpenAI itself.',
    needsKey: true,
    needsAddress: false,
  },
  anthropic: {
    name: 'Anthropic',
    hint: 'Claude models, with a key from platform.claude.com',
    keyHint: 'Create one at platform.claude.com, under API keys.',
    address: 'https://api.anthropic.com/v1',
    addressHint: 'Leave it empty for Anthropic itself.',
    needsKey: true,
    needsAddress: false,
  },
  'openai-compatible': {
    name: 'OpenAI-compatible',
    hint: 'Any service with the same API: a gateway, another provider or your own server',
    keyHint: 'Leave it empty if the service needs none.',
    address: 'https://models.example.com/v1',
    addressHint: 'Usually ends with /v1. It must use https and a public address.',
    needsKey: false,
    needsAddress: true,
  },
  ollama: {
    name: 'Ollama',
    hint: 'Open models on your own hardware',
    keyHint: 'Only if a proxy in front of it asks for one.',
    address: 'http://localhost:11434',
    addressHint:
      'As the Atrium server reaches it. For an address in your network, whoever runs the server lists it in MODEL_ALLOW_HOSTS.',
    needsKey: false,
    needsAddress: true,
  },
};
