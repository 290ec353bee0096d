const COUNT = new Intl.NumberFormat();

/** "1 credit", "2,500 credits". */
export function countOf(count: number, noun: string): string {
  return `${COUNT.format(count)} ${count === 1 ? noun : `${noun}s`}`;
}
