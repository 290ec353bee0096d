import type { Config } from './config/config.ts';

/** Where this server is reached: by people, and by itself. */
export interface Site {
  /** What links to us begin with. */
  publicUrl(): string;
  /** The same server on this machine, past any proxy. */
  localUrl(): string;
  /** The system chose the port, if the configured one is 0. */
  listensOn(port: number): void;
}

export function createSite({ publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>): Site {
  let port: number | undefined;
  // Listening everywhere includes loopback; an address of its own does not.
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const localHost = isEverywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const url = () => (port === undefined ? publicUrl : publicUrl.replace(/:0$/, `:${port}`));
  return {
    publicUrl: url,
    // A process that only works in the background does not listen: it goes the way that people go.
    localUrl: () => (port === undefined ? url() : `http://${localHost}:${port}`),
    listensOn(chosen) {
      port = chosen;
    },
  };
}
