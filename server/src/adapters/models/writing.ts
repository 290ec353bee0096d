import { AnswerText } from './answer-text.ts';
import type { AnswerWatcher } from './model.ts';

/** What the model has written until now, and who watches it. */
export interface Writing {
  /** Empty until the current step writes; then only what the step wrote. */
  readonly stepText: string;
  /** The step before may have written too. That stays until the next step writes something. */
  nextStep(): void;
  /** The provider is asked again, and what it wrote before is void. */
  restart(): void;
  add(delta: string): void;
}

export function createWriting(watcher: AnswerWatcher | undefined): Writing {
  let step = new AnswerText();
  let isShownTextOld = false;
  let hasShown = false;

  function restart(): void {
    step = new AnswerText();
    isShownTextOld = false;
    hasShown = false;
    watcher?.onRestart();
  }

  return {
    get stepText() {
      return step.toString();
    },
    nextStep() {
      step = new AnswerText();
      isShownTextOld = hasShown;
    },
    restart,
    add(delta) {
      if (delta === '') return;
      if (isShownTextOld) restart();
      step.add(delta);
      hasShown = true;
      watcher?.onText(delta);
    },
  };
}
