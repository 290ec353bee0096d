/** Short enough not to be waited for. */
const SETTLE_MS = 160;

/** A card in the hand: a copy that follows the pointer, while the card itself stays in its place, faded. */
export interface Lifted {
  moveTo: (x: number, y: number) => void;
  /** Lets it down to where its card is now, and removes it. */
  settle: () => void;
}

/**
 * Lifts the card of a task. `x` and `y`: where the pointer holds it; without them it is only let down again,
 * which shows where a move by keyboard went.
 */
export function liftCard(taskId: string, x = 0, y = 0): Lifted | undefined {
  const card = findCard(taskId);
  if (!card) return undefined;
  const { left, top, width } = card.getBoundingClientRect();
  const copy = copyOf(card);
  Object.assign(copy.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` });
  document.body.append(copy);
  return {
    moveTo(toX, toY) {
      copy.dataset['lifted'] = 'held';
      copy.style.translate = `${toX - x}px ${toY - y}px`;
    },
    settle: () => void letDown(copy, taskId),
  };
}

function findCard(taskId: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-column] [data-card="${taskId}"]`);
}

/** Only to be looked at: not found by name, focused, clicked or read aloud. */
function copyOf(card: HTMLElement): HTMLElement {
  const copy = card.cloneNode(true) as HTMLElement;
  for (const one of [copy, ...copy.querySelectorAll<HTMLElement>('*')]) {
    one.removeAttribute('id');
    delete one.dataset['card'];
    delete one.dataset['grip'];
  }
  copy.inert = true;
  copy.setAttribute('aria-hidden', 'true');
  copy.dataset['lifted'] = '';
  return copy;
}

/** The board shows the move one frame later at the earliest. */
async function letDown(copy: HTMLElement, taskId: string): Promise<void> {
  await nextFrame();
  const card = findCard(taskId);
  if (!card || matchMedia('(prefers-reduced-motion: reduce)').matches) return copy.remove();
  const from = copy.getBoundingClientRect();
  const to = card.getBoundingClientRect();
  copy.dataset['lifted'] = '';
  const x = to.left + to.width / 2 - (from.left + from.width / 2);
  const y = to.top + to.height / 2 - (from.top + from.height / 2);
  const [nowX = 0, nowY = 0] = copy.style.translate.split(' ').map(parseFloat);
  const moving = copy.animate(
    { translate: [`${nowX}px ${nowY}px`, `${nowX + x}px ${nowY + y}px`] },
    { duration: SETTLE_MS, easing: 'cubic-bezier(0.2, 0, 0, 1)', fill: 'forwards' },
  );
  card.dataset['settling'] = '';
  // A page in the background animates nothing.
  await Promise.race([moving.finished.catch(() => {}), wait(2 * SETTLE_MS)]);
  delete card.dataset['settling'];
  copy.remove();
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    setTimeout(resolve, 100);
  });
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
