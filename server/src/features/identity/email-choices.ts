/** Which unread notifications of an organisation a person is emailed about. */
export const EMAIL_CHOICES = ['ALL', 'MENTIONS', 'NONE'] as const;

export type EmailChoice = (typeof EMAIL_CHOICES)[number];
