/** The addresses of this server: for people, and for itself. */
export interface Site {
  /** The start of every link to this server. */
  publicUrl(): string;
  /** The same server on this machine, without a proxy. */
  localUrl(): string;
  /** Another origin, which serves nothing but content of files. */
  filesOrigin: string | undefined;
  /** Tells the actual port, which the system chooses if the configured one is 0. */
  listensOn(port: number): void;
}

interface SiteConfig {
  publicUrl: string;
  host: string;
  files: { origin: string | undefined };
}

export function createSite({ publicUrl, host, files }: SiteConfig): Site {
  let port: number | undefined;
  // A server that listens on all addresses can be reached on loopback.
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const localHost = isEverywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const url = () => (port === undefined ? publicUrl : publicUrl.replace(/:0$/, `:${port}`));
  return {
    publicUrl: url,
    filesOrigin: files.origin,
    // A worker does not listen, so it uses the public address.
    localUrl: () => (port === undefined ? url() : `http://${localHost}:${port}`),
    listensOn(chosen) {
      port = chosen;
    },
  };
}
