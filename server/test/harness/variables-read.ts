import { readConfig } from '../../src/config/config.ts';

/** The names of all environment variables that the configuration looks at. */
export function variablesRead(): string[] {
  const names = new Set<string>();
  const set: Record<string, string> = { EMBEDDINGS: 'openai', OPENAI_API_KEY: 'sk-test' };
  readConfig(
    new Proxy(set, {
      get(target, name) {
        names.add(String(name));
        return target[String(name)];
      },
    }),
  );
  return [...names];
}
