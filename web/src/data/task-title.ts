/** In characters, as the API counts them. */
export const LONGEST_TITLE = 200;
