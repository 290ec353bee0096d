import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderInvitationMail } from './invitation-mail.ts';

const LINK = 'https://atrium.example.com/invite/jK00eDcJqh5LUBfVaIKR84zcCNks3UIjEL6IJprELf5';
const INPUT = {
  orgName: 'Acme Research',
  inviterName: 'Zoë Müller',
  inviterEmail: 'zoe@acme.example',
  role: 'ADMIN',
  link: LINK,
  expiresAt: new Date('2026-11-27T10:11:12Z'),
} as const;

/** Only what the layout itself writes: everything a caller gave is text. */
const tagsOf = (html: string) =>
  html.match(/<[a-z!/][^>]*>/gi)?.map((tag) => tag.split(/[\s>]/)[0]);

describe('the invitation email', () => {
  it('says in both parts who invites to what, in which role, until when, and what to do if it is unexpected', () => {
    const { subject, text, html } = renderInvitationMail(INPUT);
    expect(subject).toBe('Zoë Müller invited you to Acme Research on Atrium');
    for (const part of [text, html]) {
      for (const words of [
        'Acme Research',
        'Zoë Müller (zoe@acme.example)',
        'Admin',
        'Friday, 27 November 2026 at 10:11 UTC',
        'did not expect this invitation',
        LINK,
      ]) {
        expect(part).toContain(words);
      }
    }
    expect(text.split('\n')).toContain(LINK);
    expect(html.split(`href="${LINK}"`)).toHaveLength(3);
    expect(text).not.toMatch(/[<>]/);
  });

  it('loads nothing and runs nothing', () => {
    const { html } = renderInvitationMail(INPUT);
    expect(html).not.toMatch(/<(img|script|link|iframe|form)|url\(|@import|\son\w+=/i);
    expect([...html.matchAll(/https?:\/\/[^\s"<]+/g)].map(([url]) => url)).toEqual([
      LINK,
      LINK,
      LINK,
    ]);
  });

  it('keeps the plain part within 76 columns, so that it travels unencoded', () => {
    const { text } = renderInvitationMail({
      ...INPUT,
      inviterName: 'Ada Lovelace',
      link: LINK.replace('https://atrium.example.com', 'http://127.0.0.1:3000'),
    });
    expect(text).toMatch(/^[\n\x20-\x7e]+$/);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(76);
  });

  it('escapes names', () => {
    const { html } = renderInvitationMail({
      ...INPUT,
      orgName: '</h1><script>alert(1)</script>',
      inviterName: "\"><img src=x onerror='y'>&amp;",
    });
    expect(tagsOf(html)).toEqual(tagsOf(renderInvitationMail(INPUT).html));
    expect(html).toContain('&quot;&gt;&lt;img src=x onerror=&#39;y&#39;&gt;&amp;amp;');
  });

  it('works with any name: one subject line of bounded length, and the same tags', () => {
    const expected = tagsOf(renderInvitationMail(INPUT).html);
    const name = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(name, name, (orgName, inviterName) => {
        const mail = renderInvitationMail({ ...INPUT, orgName, inviterName });
        expect(mail.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        expect(mail.subject.length).toBeLessThan(200);
        expect(mail.subject.isWellFormed()).toBe(true);
        expect(tagsOf(mail.html)).toEqual(expected);
        expect(mail.text.split('\n')).toContain(LINK);
      }),
    );
  });

  it('drops line breaks and characters that reorder text, and shortens', () => {
    const { subject } = renderInvitationMail({
      ...INPUT,
      orgName: `A\r\nBcc: eve@example.org ${'x'.repeat(200)}`,
      inviterName: 'Ada\u202egnp.exe\u2028\u0000',
    });
    expect(subject.replaceAll('\u200b', '')).toMatch(
      /^Ada gnp\.exe invited you to A Bcc: eve@example\.org x+… on Atrium$/,
    );
    expect(subject.length).toBeLessThan(130);
  });

  it('keeps emoji families and other alphabets whole', () => {
    const { text } = renderInvitationMail({ ...INPUT, orgName: '👩‍👩‍👧‍👦 خانه‌ها' });
    expect(text).toContain('👩‍👩‍👧‍👦 خانه‌ها');
  });

  it('leaves nothing in a name that a mail program would turn into a link', () => {
    const { subject, text, html } = renderInvitationMail({
      ...INPUT,
      orgName: 'You won! https://evil.example/prize',
      inviterName: 'www.evil.example',
    });
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/evil\.example|:\/\/evil/);
    }
    expect(renderInvitationMail({ ...INPUT, orgName: 'J. R. Acme Inc.' }).text).toContain(
      'J. R. Acme Inc.',
    );
  });

  it('shows the address of an inviter without a name', () => {
    for (const inviterName of ['', ' \u200b', 'zoe@acme.example']) {
      const { subject, text } = renderInvitationMail({ ...INPUT, inviterName });
      expect(subject).toBe('zoe@acme.example invited you to Acme Research on Atrium');
      expect(text).toContain('Invited by:   zoe@acme.example\n');
    }
  });
});
