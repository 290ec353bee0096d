/** Counts the turns of the event loop. Ask for `rounds()` at any time; call `stop` at the end. */
export function countRounds(): { rounds: () => number; stop: () => void } {
  let rounds = 0;
  let next = setImmediate(function goRound() {
    rounds++;
    next = setImmediate(goRound);
  });
  return { rounds: () => rounds, stop: () => clearImmediate(next) };
}
