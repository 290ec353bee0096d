import { useStore } from '../store.ts';
import { createStoredChoice } from './stored-choice.ts';

/** Single-key shortcuts can be turned off, because speech input types them by accident (WCAG 2.1.4). */
export const singleKeys = createStoredChoice('atrium.single-keys', (stored) => stored !== 'off');

export function useSingleKeys(): [boolean, (isOn: boolean) => void] {
  return [useStore(singleKeys), (isOn) => singleKeys.choose(isOn ? null : 'off')];
}
