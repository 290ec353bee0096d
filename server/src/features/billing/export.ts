import { recordKind } from '../../lists/record-kind.ts';
import { presentLedgerEntry } from './present.ts';
import { readLedger } from './service.ts';

export const ledger = recordKind('ledger', readLedger, presentLedgerEntry);
