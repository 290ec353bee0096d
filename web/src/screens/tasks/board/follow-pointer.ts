/** How far the pointer moves before a press becomes a drag. */
const THRESHOLD = 5;

interface Follower {
  /** On each frame of a drag, because the board scrolls while the pointer rests near an edge. */
  onFrame: (x: number, y: number) => void;
  /** After a drag. Not after a press that didn't become one. */
  onEnd: (isDropped: boolean) => void;
  /** If it is stopped from outside. */
  onStop: () => void;
}

/** Follows a pointer that was pressed, until it is released. Returns what stops it. */
export function followPointer(
  { clientX, clientY, pointerId }: Pick<PointerEvent, 'clientX' | 'clientY' | 'pointerId'>,
  { onFrame, onEnd, onStop }: Follower,
): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let at = { x: clientX, y: clientY };
  let frame: number | undefined;
  function follow() {
    onFrame(at.x, at.y);
    frame = requestAnimationFrame(follow);
  }
  function stop() {
    listening.abort();
    if (frame !== undefined) cancelAnimationFrame(frame);
  }
  function end(isDropped: boolean) {
    stop();
    if (frame === undefined) return;
    // The press must not open the task as well.
    addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener('click', swallow, { capture: true }));
    if (isDropped) onFrame(at.x, at.y);
    onEnd(isDropped);
  }
  addEventListener(
    'pointermove',
    (moved) => {
      if (moved.pointerId !== pointerId) return;
      at = { x: moved.clientX, y: moved.clientY };
      const far = Math.hypot(at.x - clientX, at.y - clientY);
      if (frame === undefined && far >= THRESHOLD) follow();
    },
    { signal },
  );
  addEventListener('pointerup', () => end(true), { signal });
  addEventListener('pointercancel', () => end(false), { signal });
  addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal });
  return () => {
    stop();
    onStop();
  };
}

function swallow(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}
