import type { XmlAttributes } from '../parts/xml-reader.ts';
import { numberLabel } from './list-labels.ts';

/** Lists with numbers count here, because the document does not say them. */
export function createOdfLists() {
  /** The format of each level, by the name of the style. Bullets have none. */
  const styles = new Map<string, Map<number, string>>();
  const open: { style: string; next: number }[] = [];
  let named = '';
  let label: string | undefined;
  return {
    style(name: string, attributes: XmlAttributes) {
      if (name === 'list-style') named = attributes.get('name') ?? '';
      else if (name === 'list-level-style-number') {
        const formats = styles.get(named) ?? new Map<number, string>();
        const format = attributes.get('num-format') ?? '';
        if (format) styles.set(named, formats.set(Number(attributes.get('level')), format));
      }
    },
    open(attributes: XmlAttributes) {
      open.push({ style: attributes.get('style-name') ?? open.at(-1)?.style ?? '', next: 1 });
    },
    item(attributes: XmlAttributes) {
      const inside = open.at(-1);
      if (!inside) return;
      inside.next = Number(attributes.get('start-value') ?? inside.next) || inside.next;
      const format = styles.get(inside.style)?.get(open.length);
      label = format === undefined ? '-' : `${numberLabel(inside.next, format)}.`;
      inside.next++;
    },
    close() {
      open.pop();
    },
    place(): { depth: number; label: string | undefined } {
      const place = { depth: open.length, label };
      label = undefined;
      return place;
    },
  };
}
