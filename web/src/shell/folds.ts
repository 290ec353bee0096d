import { useState } from 'react';
import { useWorkspace } from '../data/workspace.tsx';

/** Which projects are unfolded in the sidebar, remembered on this device. */
export function useFolds() {
  const { org } = useWorkspace();
  const stored = `atrium.folds.${org.id}`;
  const [folds, setFolds] = useState(() => readFolds(stored));
  return {
    /** Undefined if the person hasn't chosen. */
    isOpen: (projectId: string) => folds[projectId],
    setOpen: (projectId: string, open: boolean) => {
      const next = { ...folds, [projectId]: open };
      localStorage.setItem(stored, JSON.stringify(next));
      setFolds(next);
    },
  };
}

function readFolds(stored: string): Record<string, boolean> {
  try {
    return (JSON.parse(localStorage.getItem(stored) ?? '{}') ?? {}) as Record<string, boolean>;
  } catch {
    return {};
  }
}
