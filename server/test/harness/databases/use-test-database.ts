import { useStarted } from '../processes/use-started.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** A database for the tests of a file or `describe`. Its fields exist only in hooks and tests. */
export function useTestDatabase(): TestDatabase {
  return useStarted(createTestDatabase, (database) => database.drop());
}
