/** The embedded engine could not write to its disk. It never finishes another statement. */
export class EngineFailed extends Error {
  constructor(reason: string) {
    super(`the embedded database stopped: ${reason}; is the disk full?`);
  }
}
