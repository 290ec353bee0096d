import { keep, readKept } from '../../data/device/kept.ts';

/** Where the person started their last chat, and with whom. Kept on this device. */
export interface ChatChoice {
  project?: string;
  /** A slug. Empty: whoever answers by default. */
  answerer?: string;
}

const nameOf = (owner: string) => `atrium.chat.${owner}`;

export function readLastChoice(owner: string): ChatChoice {
  try {
    const { project, answerer } = JSON.parse(readKept(nameOf(owner)) ?? '{}') as ChatChoice;
    return {
      ...(typeof project === 'string' && { project }),
      ...(typeof answerer === 'string' && { answerer }),
    };
  } catch {
    return {};
  }
}

export function keepChoice(owner: string, choice: ChatChoice): void {
  keep(nameOf(owner), JSON.stringify(choice));
}
