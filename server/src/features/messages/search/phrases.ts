/** The terms of the phrases as a tree: a node stands for the terms on the way to it from the root. */
interface Node {
  next: Map<string, Node>;
  /** The longest other node that stands for the last of these terms. Null for the root. */
  fallback: Node | null;
  /** How many terms it stands for. */
  depth: number;
  isPhrase: boolean;
  /** The number of terms of the longest phrase that ends here. 0: none does. */
  ending: number;
}

/** Phrases to look for, all at once: how many there are makes no difference to the time. */
export interface Phrases {
  root: Node;
  /** How many different ones. */
  count: number;
  /** The number of terms of the longest one. */
  longest: number;
}

/** Looks for the phrases in one text. */
export interface PhraseSearch {
  /** Takes the text's next term. Returns the number of terms of the longest phrase that ends with it, or 0. */
  read(term: string): number;
  /** Whether each phrase has occurred. */
  hasAll(): boolean;
}

/** The algorithm of Aho and Corasick: each term of a text is read once, whatever it has in common with phrases. */
export function compilePhrases(phrases: readonly (readonly string[])[]): Phrases {
  const root = createNode(0);
  let count = 0;
  let longest = 0;
  for (const terms of phrases) {
    let node = root;
    for (const term of terms) {
      const next: Node = node.next.get(term) ?? createNode(node.depth + 1);
      node.next.set(term, next);
      node = next;
    }
    if (node === root || node.isPhrase) continue;
    node.isPhrase = true;
    count++;
    longest = Math.max(longest, node.depth);
  }
  linkFallbacks(root);
  return { root, count, longest };
}

function createNode(depth: number): Node {
  return { next: new Map(), fallback: null, depth, isPhrase: false, ending: 0 };
}

/** Level by level: a fallback is less deep than its node. */
function linkFallbacks(root: Node): void {
  const nodes = [root];
  // The loop also visits the nodes that it adds.
  for (const node of nodes) {
    for (const [term, next] of node.next) {
      const fallback = node.fallback === null ? root : follow(node.fallback, term);
      next.fallback = fallback;
      next.ending = next.isPhrase ? next.depth : fallback.ending;
      nodes.push(next);
    }
  }
}

/** The longest node that stands for the last terms when this one is added. */
function follow(from: Node, term: string): Node {
  let node = from;
  for (;;) {
    const next = node.next.get(term);
    if (next) return next;
    if (node.fallback === null) return node;
    node = node.fallback;
  }
}

export function searchPhrases({ root, count }: Phrases): PhraseSearch {
  let node = root;
  let missing = count;
  const visited = new Set<Node>();

  /** What ends here: the node and all its fallbacks. Those of a visited node were visited with it. */
  function visit(from: Node): void {
    for (let at: Node | null = from; at !== null && !visited.has(at); at = at.fallback) {
      visited.add(at);
      if (at.isPhrase) missing--;
    }
  }

  return {
    read(term) {
      node = follow(node, term);
      if (missing > 0) visit(node);
      return node.ending;
    },
    hasAll: () => missing === 0,
  };
}
