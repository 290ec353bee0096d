/** The list of steps of a guide. */
export const STEPS = 'flex list-decimal flex-col gap-3 pl-5 text-sm';
