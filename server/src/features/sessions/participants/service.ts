/**
 * Participants belong to the session's Project. Whatever ends someone's membership takes them out of its
 * sessions in the same commit, after the statement that ends it.
 */
export { leaveProjectAtCommit, leaveSessionsAtCommit, removeOutsidersAtCommit } from './store.ts';
