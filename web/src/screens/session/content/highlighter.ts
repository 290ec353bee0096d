import { common, createLowlight } from 'lowlight';
import { createElement, type ReactNode } from 'react';
import './highlight.css';

/** In its own chunk, loaded when the first code in a known language is shown. */
const lowlight = createLowlight(common);

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

/** Adds colours only, so the size stays the same. Undefined for an unknown language. */
export function highlight(code: string, language: string): ReactNode[] | undefined {
  const name = language.toLowerCase();
  if (!lowlight.registered(name)) return undefined;
  return lowlight.highlight(name, code).children.map(toElement);
}

/** The highlighter only produces text and spans with class names. */
function toElement(node: Node, key: number): ReactNode {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  const { className } = node.properties;
  const names = Array.isArray(className) ? className.join(' ') : undefined;
  return createElement('span', { key, className: names }, node.children.map(toElement));
}
