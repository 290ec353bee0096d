/** Every page begins at the same edge and is as wide, so that nothing jumps from one to the next. */
export const PAGE = 'flex w-full max-w-6xl flex-col gap-5 p-4 sm:p-6';
