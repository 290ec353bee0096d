import { recordKind, shortKind } from '../../lists/record-kind.ts';
import { presentPhoto, readPhotos } from './photos/service.ts';
import { describePerson } from './service.ts';

export const account = shortKind(
  'account',
  async (ctx) => [await describePerson(ctx)],
  (person) => person,
);

export const photos = recordKind('photos', readPhotos, presentPhoto);
