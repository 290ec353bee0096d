import { z } from 'zod';
import { pageOf, pageQuery, timestamp } from '../../../core/fields.ts';
import { Message, place } from '../schema.ts';

export const PinPage = pageOf(Message).meta({ id: 'PinPage' });

export const SavedMessage = z
  .object({ message: Message, ...place, savedAt: timestamp() })
  .meta({ id: 'SavedMessage' });

export const SavedPage = pageOf(SavedMessage).meta({ id: 'SavedPage' });

export const ListPins = pageQuery();
export const ListSaved = pageQuery().extend({
  sessionId: z.string().optional().meta({ description: 'Only messages of this session.' }),
});

export type SavedMessage = z.output<typeof SavedMessage>;
export type ListPins = z.output<typeof ListPins>;
export type ListSaved = z.output<typeof ListSaved>;
