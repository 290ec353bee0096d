export interface Alarm {
  /** Ends the current sleep, or else the next one as soon as it begins, so that no ring is missed. */
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
