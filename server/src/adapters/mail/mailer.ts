export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Letters, digits, - and _. Stable per job, so that a second delivery is recognisable as one. */
  messageId?: string;
  /** What the mail is for. Shown on a terminal if mail is written to files. */
  link?: string;
}

export interface Mailer {
  /**
   * Resolves once the mail is in other hands. MailRefused: no attempt will ever succeed; any other
   * error: a later one may. Aborting leaves open whether the mail went out.
   */
  send(mail: OutgoingMail, options?: { signal?: AbortSignal }): Promise<void>;
  /** Waits for the mails under way. */
  close(): Promise<void>;
}

/** This mail will not be taken, however often it is tried. Worth telling a person, not retrying. */
export class MailRefused extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'MailRefused';
  }
}
