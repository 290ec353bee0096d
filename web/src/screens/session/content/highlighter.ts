import { common, createLowlight } from 'lowlight';
import { createElement, type ReactNode } from 'react';
import './highlight.css';

/** Loaded when the first code in a known language is shown: a chunk of its own. */
const lowlight = createLowlight(common);

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

/** Colours only: it takes the same room as the plain text. Undefined for a language it does not know. */
export function highlight(code: string, language: string): ReactNode[] | undefined {
  const name = language.toLowerCase();
  if (!lowlight.registered(name)) return undefined;
  return lowlight.highlight(name, code).children.map(toElement);
}

/** Only text and spans with class names come out of it, so only these are made. */
function toElement(node: Node, key: number): ReactNode {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  const { className } = node.properties;
  const names = Array.isArray(className) ? className.join(' ') : undefined;
  return createElement('span', { key, className: names }, node.children.map(toElement));
}
