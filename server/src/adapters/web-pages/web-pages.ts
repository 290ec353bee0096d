/** What a page says about itself, as plain text of limited length. It is data from outside, whatever it says. */
export interface PageSummary {
  /** The site's name, or its host if it says none. */
  site: string;
  title: string;
  description: string | null;
}

/** Reads pages that people link to, through the guard, without cookies or anything else about who linked. */
export interface WebPages {
  /**
   * Null if it can't be read, is no HTML, or has no title: nothing is thrown except the signal's reason. Takes at
   * most `PAGE_MS`.
   */
  summarise(url: string, signal: AbortSignal): Promise<PageSummary | null>;
  close(): Promise<void>;
}

/** From the lookup to the last byte that is read. */
export const PAGE_MS = 5_000;
