import { scannedKind } from '../../lists/record-kind.ts';
import { scanEntries } from './ledger/store.ts';
import { presentLedgerEntry } from './present.ts';

export const ledger = scannedKind('ledger', scanEntries, presentLedgerEntry);
