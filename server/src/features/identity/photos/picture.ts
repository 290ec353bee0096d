/** A picture without what is only about it, such as where it was taken, and without anything after its end. */
export interface Picture {
  width: number;
  height: number;
  bytes: Buffer;
}
