export interface Size {
  width: number;
  height: number;
}

/** Thinner or flatter than this, nobody could press it. */
const LEAST = 48;

/** The size at which a picture is shown: as it is, or smaller. What is very narrow or flat is cut off. */
export function fitInto({ width, height }: Size, most: Size): Size {
  const scale = Math.min(1, most.width / width, most.height / height);
  return {
    width: Math.max(LEAST, Math.round(width * scale)),
    height: Math.max(LEAST, Math.round(height * scale)),
  };
}
