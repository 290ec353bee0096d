/** What needs the code of sessions, in one file with it. Files that share less would be loaded with every session. */
export { Description } from './description.tsx';
export { Discussion } from './discussion.tsx';
