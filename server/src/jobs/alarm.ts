export interface Alarm {
  /** Ends the sleep; when nobody sleeps, the next sleep ends at once, so no ring is ever missed. */
  ring(): void;
  sleep(ms: number): Promise<void>;
}

export function createAlarm(): Alarm {
  let hasRung = false;
  let wakeSleeper = () => {};
  return {
    ring() {
      hasRung = true;
      wakeSleeper();
    },
    async sleep(ms) {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wakeSleeper = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      hasRung = false;
    },
  };
}
