import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../harness/stages/agent-stage.ts';
import { freePort } from '../harness/processes/free-port.ts';
import type { Target } from '../harness/outside/tcp-proxy.ts';
import { asServiceUser } from './service-user.ts';
import { mountSmallDisk } from './small-disk.ts';

const PROGRAMS = '/usr/lib/postgresql';
/** The primary has room for what the tests write, many times over. */
const DISK_MEGABYTES = 384;
const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
fsync = off
dynamic_shared_memory_type = mmap
`;

/** More than is kept of the log, and only there. */
const WRITE_LOG = `SELECT count(pg_logical_emit_message(false, '', repeat('x', 1000000)))
  FROM generate_series(1, 128)`;

/** A primary whose commits wait for its standby, as a failover without loss needs. */
export interface PostgresPair {
  primary: Target;
  standby: Target;
  /** Kills the primary at once, and makes the standby the new one. */
  failOver(): Promise<void>;
  /** Fills the primary's disk, and waits until tables can't grow. */
  fillDisk(): Promise<void>;
  /** Writes to the log until it needs another file, which a full disk has no room for. */
  exhaustLog(): Promise<void>;
  /** Makes room again, and starts the primary if it gave up, as a service manager does. */
  makeRoom(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const versions = (await readdir(PROGRAMS)).map(Number).filter(Number.isInteger);
  const bin = join(PROGRAMS, String(Math.max(...versions)), 'bin');
  const folder = await mkdtemp(join(tmpdir(), 'atrium-pair-'));
  await chmod(folder, 0o777);
  await mkdir(join(folder, 'disk'));
  await chmod(join(folder, 'disk'), 0o777);
  const disk = await mountSmallDisk(join(folder, 'disk'), DISK_MEGABYTES);
  const [primary, standby] = [await freeTarget(), await freeTarget()];

  const onDisk = (name: string, ...args: string[]) => disk.run([join(bin, name), ...args]);
  const onPlain = (name: string, ...args: string[]) => asServiceUser([join(bin, name), ...args]);
  const data = { primary: join(folder, 'disk', 'data'), standby: join(folder, 'standby') };
  const log = join(folder, 'primary.log');
  const launch = (at: string, { port }: Target, to: string) =>
    ['start', '-w', '-D', at, '-l', to, '-o', `-p ${port}`] as const;
  const startPrimary = () => onDisk('pg_ctl', ...launch(data.primary, primary, log));
  const set = (line: string) =>
    disk.run(['sh', '-c', 'echo "$1" >> "$0"', join(data.primary, 'postgresql.conf'), line]);

  const untilLogged = (line: RegExp) => until(async () => line.test(await readFile(log, 'utf8')));

  // Small files for the log, so that a full disk stops that too.
  const cluster = ['--username=atrium', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'];
  await onDisk('initdb', '-D', data.primary, ...cluster, '--wal-segsize=1', '--no-sync');
  await set(SETTINGS);
  await startPrimary();
  const source = ['-h', primary.host, '-p', String(primary.port), '-U', 'atrium'];
  // With a slot, the primary keeps what the standby still needs, also when it is restarted.
  const slot = ['--create-slot', '--slot=standby'];
  const copy = [...slot, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'];
  await onPlain('pg_basebackup', ...source, '-D', data.standby, ...copy);
  await onPlain('pg_ctl', ...launch(data.standby, standby, `${data.standby}.log`));
  // Only on the primary: the standby has nobody to wait for when it takes over.
  await set(`synchronous_standby_names = '*'`);
  await onDisk('pg_ctl', 'reload', '-D', data.primary);

  return {
    primary,
    standby,
    async failOver() {
      await onDisk('pg_ctl', 'stop', '-D', data.primary, '-m', 'immediate');
      await onPlain('pg_ctl', 'promote', '-w', '-D', data.standby);
    },
    async fillDisk() {
      await disk.fill();
      await untilLogged(/ERROR: .* No space left on device/);
    },
    async exhaustLog() {
      const isLost = await onPlain('psql', ...source, '-d', 'postgres', '-c', WRITE_LOG).then(
        () => false,
        () => true,
      );
      if (!isLost) throw new Error('the log still had room');
      await untilLogged(/PANIC: .* No space left on device/);
    },
    async makeRoom() {
      await disk.empty();
      const isUp = onDisk('pg_ctl', 'status', '-D', data.primary).then(() => true);
      if (!(await isUp.catch(() => false))) await startPrimary();
    },
    async stop() {
      await onDisk('pg_ctl', 'stop', '-D', data.primary, '-m', 'immediate').catch(() => {});
      await onPlain('pg_ctl', 'stop', '-D', data.standby, '-m', 'immediate').catch(() => {});
      await disk.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freeTarget(): Promise<Target> {
  return { host: '127.0.0.1', port: await freePort() };
}
