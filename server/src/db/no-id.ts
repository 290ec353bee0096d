/**
 * Stands for an optional id that was not given, because no row has it. With NULL the planner drops that table
 * from the query, and Citus then can't tell which shard the rest is on.
 */
export const NO_ID = '';
