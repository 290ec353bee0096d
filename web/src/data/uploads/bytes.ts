/**
 * The bytes of files that are on their way, so that a reload doesn't lose them. If this browser can't keep them
 * (a private window, a full disk), they last as long as the page.
 */
const inPage = new Map<string, Blob>();

const STORE = 'files';
const NOT_KEPT = 'This browser keeps no files.';
let opening: Promise<IDBDatabase> | undefined;

export async function keepBytes(id: string, bytes: Blob): Promise<void> {
  inPage.set(id, bytes);
  await inStore('readwrite', (store) => store.put(bytes, id)).catch(() => {});
  // Cancelled while it was being written.
  if (!inPage.has(id)) await dropBytes(id);
}

export async function readBytes(id: string): Promise<Blob | undefined> {
  const known = inPage.get(id);
  if (known) return known;
  const stored: unknown = await inStore('readonly', (store) => store.get(id)).catch(
    () => undefined,
  );
  return stored instanceof Blob ? stored : undefined;
}

export async function dropBytes(id: string): Promise<void> {
  inPage.delete(id);
  await inStore('readwrite', (store) => store.delete(id)).catch(() => {});
}

/** Those that no upload needs any more, such as of a tab that was closed at the wrong moment. */
export async function dropOtherBytes(needed: ReadonlySet<string>): Promise<void> {
  const known = await inStore('readonly', (store) => store.getAllKeys()).catch(() => []);
  const others = known.map(String).filter((id) => !needed.has(id) && !inPage.has(id));
  await Promise.all(others.map(dropBytes));
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await (opening ??= open());
  const request = run(database.transaction(STORE, mode).objectStore(STORE));
  return await resultOf(request);
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('atrium-uploads', 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
  return resultOf(request);
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error(NOT_KEPT)));
  });
}
