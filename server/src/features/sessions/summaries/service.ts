/**
 * A session's summary belongs to whoever reads the session. `agents/reading/summarise.ts` writes it. Those who
 * change a message that it covers forget it in the same commit, after they have locked the session.
 */
export {
  findSummary,
  forgetSummaryAtCommit,
  lockSession,
  saveSummary,
  takeSummaryCall,
  type SummaryRow,
} from './store.ts';
