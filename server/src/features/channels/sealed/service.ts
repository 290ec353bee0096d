import { sealedColumn, type SealedSource } from '../../../db/sealed-column.ts';
import { placeOf } from '../secrets.ts';

/** The tokens of chat connections. */
export const sealedTokens: SealedSource = {
  placeOf,
  ...sealedColumn('channel_connections', 'sealed_secrets'),
};
