import { createElement, use, type ComponentType, type FunctionComponent } from 'react';

/**
 * Parts of the app whose code is loaded when it is first needed, or ahead of that. If the server can't be
 * reached, the place where the part belongs shows the error, and the rest of the app keeps working.
 */
export class PartNotLoaded extends Error {
  /** Loads it once more. */
  readonly loadAgain: () => Promise<void>;

  constructor(cause: unknown, loadAgain: () => Promise<void>) {
    super('Couldn’t load a part of the app.', { cause });
    this.loadAgain = loadAgain;
  }
}

type Part<Props> = FunctionComponent<Props> & { preload: () => Promise<void> };

const parts: Part<never>[] = [];

export type PropsOf<Component> =
  Component extends ComponentType<infer Props> ? Props & object : never;

/** A component, by its name in the file it is in. */
export function lazyPart<Name extends string, File extends Record<Name, unknown>>(
  load: () => Promise<File>,
  name: Name,
): Part<PropsOf<File[Name]>> {
  type Props = PropsOf<File[Name]>;
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;

  function start(): Promise<ComponentType<Props>> {
    loading ??= load().then(
      (file) => (loaded = file[name] as ComponentType<Props>),
      (error: unknown) => {
        throw new PartNotLoaded(error, loadAgain);
      },
    );
    return loading;
  }
  async function loadAgain(): Promise<void> {
    loading = undefined;
    await start();
  }
  const Part = (props: Props) => createElement(loaded ?? use(start()), props);
  const part = Object.assign(Part, {
    async preload() {
      try {
        await start();
      } catch {
        // Nobody waits for it yet. It is loaded again when it is shown.
        loading = undefined;
      }
    },
  });
  parts.push(part);
  return part;
}

/** The same for a screen. Its type is not read, because screens use the types of the router. */
export function lazyScreen<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): Part<object> {
  return lazyPart<Name, Record<Name, ComponentType>>(load, name) as Part<object>;
}

/** Loads every part, one after the other, so that a lost connection takes none of them away. */
export async function preloadParts(signal: AbortSignal): Promise<void> {
  // A part may bring others, which come last.
  for (const part of parts) {
    await whenIdle();
    if (signal.aborted) return;
    await part.preload();
  }
}

/** Running a file's code takes time, which whoever types or clicks meanwhile would wait for. */
function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari can't say when it is idle.
    if ('requestIdleCallback' in globalThis)
      requestIdleCallback(() => resolve(), { timeout: 2_000 });
    else setTimeout(resolve);
  });
}

/**
 * Tries again after a failure. Some browsers remember that a file couldn't be loaded, and a newer release
 * has other files. Then only a reload helps, but without a server it would end in the browser's error page.
 */
export async function retryPart(error: PartNotLoaded): Promise<boolean> {
  try {
    await error.loadAgain();
    return true;
  } catch {
    if (await isServerThere()) location.reload();
    return false;
  }
}

async function isServerThere(): Promise<boolean> {
  try {
    const response = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' });
    return response.ok;
  } catch {
    return false;
  }
}
