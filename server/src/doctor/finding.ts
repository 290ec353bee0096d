/** What one check found, and what to do about it. Neither text contains a secret. */
export interface Finding {
  check: string;
  /** Only `failed` makes the command fail. */
  status: 'ok' | 'warning' | 'failed' | 'skipped';
  message: string;
  advice?: string;
}

export type Found = Omit<Finding, 'check'>;

export const ok = (message: string): Found => ({ status: 'ok', message });
export const skipped = (message: string): Found => ({ status: 'skipped', message });

type Advised = (message: string, advice: string) => Found;
export const warning: Advised = (message, advice) => ({ status: 'warning', message, advice });
export const failed: Advised = (message, advice) => ({ status: 'failed', message, advice });
