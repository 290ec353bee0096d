import { createStore } from '../../data/store.ts';

/** Whether somebody's name is shown, so that the cards about people are needed. */
export const cardsNeeded = createStore(false);
