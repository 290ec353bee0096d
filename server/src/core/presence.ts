/** Whether somebody is there: has used a page in the last minutes, only has one open, or neither. */
export const PRESENCES = ['ACTIVE', 'AWAY', 'OFFLINE'] as const;
export type Presence = (typeof PRESENCES)[number];

/** What a browser can say about its person. */
export const PAGE_STATES = ['ACTIVE', 'AWAY'] as const;
export type PageState = (typeof PAGE_STATES)[number];
