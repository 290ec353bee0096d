/** Twelve documents of a small shipping company that does not exist. Each section is a page of a PDF. */
export interface WrittenDocument {
  name: string;
  sections: { heading: string; text: string }[];
  /** By what it says, and not in its words. `evidence` is on the right page. */
  questions: { query: string; evidence: string }[];
}

export const section = (heading: string, text: string) => ({ heading, text });
export const question = (query: string, evidence: string) => ({ query, evidence });
