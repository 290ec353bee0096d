import { AnswerText } from './answer-text.ts';
import type { AnswerWatcher } from './model.ts';

export type Writing = ReturnType<typeof createWriting>;

/** What the model has written until now, and who watches it. */
export function createWriting(watcher: AnswerWatcher | undefined) {
  let step = new AnswerText();
  let isShownTextOld = false;
  let hasShown = false;

  /** The provider is asked again, and what it wrote before is void. */
  function restart(): void {
    step = new AnswerText();
    isShownTextOld = false;
    hasShown = false;
    watcher?.onRestart();
  }

  return {
    /** Empty until the current step writes; then only what the step wrote. */
    get stepText() {
      return step.toString();
    },
    /** The step before may have written too. That stays until the next step writes something. */
    nextStep() {
      step = new AnswerText();
      isShownTextOld = hasShown;
    },
    restart,
    add(delta: string) {
      if (delta === '') return;
      if (isShownTextOld) restart();
      step.add(delta);
      hasShown = true;
      watcher?.onText(delta);
    },
  };
}
