/** What the sandbox needs from the server it runs in. */
export interface SandboxHost {
  db: Database;
  log: Log;
  /** Queues a job in this transaction that calls `Sandbox.deliver` until it succeeds. */
  enqueueDelivery(tx: Transaction, eventId: string): void;
  /** Functions, because the server may learn its port after the sandbox has started. */
  publicUrl: () => string;
  webhookUrl: () => string;
  /** Default: a secret that is generated once and kept in the database. */
  webhookSecret?: string | undefined;
  /** Lets tests move the clock. Signatures always use the real time. */
  now?: () => Date;
}

/** PostgreSQL with the table `sandbox_objects`, from the server's migrations. */
export interface Database {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export type Transaction = Database;

export interface Log {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** One change, all or nothing: objects, their events, and the jobs that deliver the events. */
export interface Work {
  host: SandboxHost;
  tx: Transaction;
  /** In seconds, as in Stripe's API. */
  now: number;
}

export function doWork<T>(host: SandboxHost, work: (work: Work) => Promise<T>): Promise<T> {
  return host.db.transaction((tx) => work({ host, tx, now: nowOf(host) }));
}

export function nowOf({ now = () => new Date() }: SandboxHost): number {
  return Math.floor(now().getTime() / 1000);
}
