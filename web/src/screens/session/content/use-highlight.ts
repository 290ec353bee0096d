import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { highlight as highlightNow } from './highlighter.ts';

type Highlight = typeof highlightNow;

const LONGEST = 10_000;
let loaded: Highlight | undefined;

/** The highlighted code, or undefined until the highlighter is loaded. */
export function useHighlight(code: string, language: string | undefined): ReactNode[] | undefined {
  const isWanted = language !== undefined && code.length <= LONGEST;
  const [highlight, setHighlight] = useState<Highlight | undefined>(() => loaded);
  useEffect(() => {
    if (!isWanted || loaded) return undefined;
    let isHere = true;
    void loadHighlight().then((found) => isHere && found && setHighlight(() => found));
    return () => {
      isHere = false;
    };
  }, [isWanted]);
  return useMemo(() => {
    if (!highlight || !isWanted) return undefined;
    try {
      return highlight(code, language);
    } catch {
      return undefined;
    }
  }, [highlight, isWanted, code, language]);
}

async function loadHighlight(): Promise<Highlight | undefined> {
  try {
    const module = await import('./highlighter.ts');
    loaded = module.highlight;
  } catch {
    // Without a connection, plain code is good enough.
  }
  return loaded;
}
