import { useLayoutEffect, type RefObject } from 'react';

/** Makes a text area as high as its text. CSS sets the maximum. */
export function useAutoHeight(area: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    const { style } = element;
    // Otherwise the page is laid out twice for each letter.
    if (CSS.supports('field-sizing', 'content')) {
      style.setProperty('field-sizing', 'content');
      return;
    }
    style.height = 'auto';
    style.height = `${element.scrollHeight}px`;
  }, [area, text]);
}
