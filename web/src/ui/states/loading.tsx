import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.tsx';
import { SkeletonList } from './skeleton.tsx';

interface LoadingProps {
  of: { data: unknown; error: unknown; refetch: () => Promise<unknown> };
  rows?: number;
  label?: string;
  /** Reserves the space instead of a list. */
  children?: ReactNode;
}

/** In the place of data until it is there: that it is loading, or why it couldn't be loaded. */
export function Loading({ of: { data, error, refetch }, children, ...list }: LoadingProps) {
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return data === undefined ? (children ?? <SkeletonList {...list} />) : null;
}
