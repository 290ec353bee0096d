import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { createFolderMailer } from './folder.ts';
import type { Mailer } from './mailer.ts';
import { createSmtpMailer } from './smtp.ts';

/** Sends through the server in SMTP_URL. Without one, writes files to the data folder. */
export function createMailer(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  log: Logger,
): Mailer {
  const { smtpUrl: url, mailFrom: from, dataDir } = config;
  if (url !== undefined) {
    log.info({ server: new URL(url).host }, 'sending email through SMTP_URL');
    return createSmtpMailer({ url, from });
  }
  const folder = join(dataDir, 'mail');
  log.info({ folder }, 'SMTP_URL is not set; writing email to files');
  return createFolderMailer({ folder, from });
}
