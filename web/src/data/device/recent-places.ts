import { useEffect, useState } from 'react';
import { useOwner } from '../workspace.tsx';
import { keep, readKept } from './kept.ts';

/** Paths of pages, most recent first. Only paths: what a place is called, or whether it still exists, is looked up. */
export const RECENT = 'atrium.recent.';
const MOST = 20;

/** Remembers on this device where the person has been. */
export function useRememberPlace(path: string): void {
  const name = RECENT + useOwner();
  useEffect(() => {
    const others = readPlaces(name).filter((place) => place !== path);
    keep(name, JSON.stringify([path, ...others].slice(0, MOST)));
  }, [name, path]);
}

/** As they are when the component is mounted. */
export function useRecentPlaces(): string[] {
  const name = RECENT + useOwner();
  const [places] = useState(() => readPlaces(name));
  return places;
}

function readPlaces(name: string): string[] {
  try {
    const places: unknown = JSON.parse(readKept(name) ?? '[]');
    return Array.isArray(places) ? places.filter((place) => typeof place === 'string') : [];
  } catch {
    return [];
  }
}
