/** `free`, `300 credits in and 1,500 out for a million tokens`. */
export function priceInWords({ input, output }: { input: number; output: number }): string {
  if (input === 0 && output === 0) return 'free';
  if (input === output) return `${input.toLocaleString()} credits for a million tokens`;
  return `${input.toLocaleString()} credits in and ${output.toLocaleString()} out for a million tokens`;
}
