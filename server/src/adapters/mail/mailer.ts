export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Letters, digits, - and _. The same for every attempt of a job, so that duplicates are recognisable. */
  messageId?: string;
  /** Where mail programs send a POST to unsubscribe with one click (RFC 8058). */
  unsubscribe?: string;
  /** The main link. Shown on a terminal if email is written to files. */
  link?: string;
}

export interface Mailer {
  /**
   * Resolves once the email is handed over. MailRefused means that no attempt will succeed; after any other
   * error a later attempt may. After aborting, the email may or may not have been sent.
   */
  send(mail: OutgoingMail, options?: { signal?: AbortSignal }): Promise<void>;
  /** Waits for emails that are being sent. */
  close(): Promise<void>;
}

/** This email will never be accepted, so it is not retried. */
export class MailRefused extends Error {
  override name = 'MailRefused';
}
