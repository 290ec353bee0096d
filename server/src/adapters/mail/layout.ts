/** Plain text. The layout escapes it, so callers never write HTML. */
export interface MailContent {
  /** Shown in the inbox next to the subject. */
  preview: string;
  heading: string;
  paragraphs: string[];
  facts: { label: string; value: string }[];
  /** The main button, if the email asks for something. */
  action?: { label: string; link: string };
  notes: string[];
}

const TEXT_WIDTH = 72;
const LABEL_WIDTH = 14;
const FONT =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The email as plain text and as HTML, both complete. */
export function renderMail(content: MailContent): { text: string; html: string } {
  return { text: renderText(content), html: renderHtml(content) };
}

function renderText({ heading, paragraphs, facts, action, notes }: MailContent): string {
  const table = facts.map(({ label, value }) => `${`${label}:`.padEnd(LABEL_WIDTH)}${value}`);
  return [
    wrap(heading),
    ...paragraphs.map(wrap),
    table.join('\n'),
    action ? `${action.label}:\n${action.link}` : '',
    ...notes.map(wrap),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

function wrap(paragraph: string): string {
  const lines = [''];
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line && line.length + 1 + word.length > TEXT_WIDTH) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join('\n');
}

/**
 * Tables and inline styles, because Outlook and Gmail support little else. No images, no other hosts. The
 * style element adds a dark mode; without it, the light one is complete.
 */
function renderHtml({ preview, heading, paragraphs, facts, action, notes }: MailContent): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no">
<title>${escapeHtml(heading)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: #16181d !important; }
  .card { background-color: #22252c !important; border-color: #363a44 !important; }
  .strong { color: #f3f4f6 !important; }
  .plain { color: #d1d5db !important; }
  .faint { color: #a2a9b5 !important; }
  .rule { border-color: #363a44 !important; }
  .link { color: #9db7ff !important; }
}
@media (max-width: 480px) {
  .inside { padding: 28px 22px !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f3f4f6">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preview)}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f3f4f6" style="background-color:#f3f4f6">
<tr><td align="center" style="padding:32px 12px">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" class="card" width="560" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="width:100%;max-width:560px;background-color:#ffffff;border:1px solid #e1e4ea;border-radius:12px">
<tr><td class="inside" style="padding:36px 40px;${FONT}">
<p class="faint" style="margin:0 0 20px;font-size:13px;line-height:18px;font-weight:600;letter-spacing:0.4px;color:#5b6472">Atrium</p>
<h1 class="strong" style="margin:0 0 16px;font-size:22px;line-height:30px;font-weight:700;color:#14171d;word-break:break-word">${escapeHtml(heading)}</h1>
${paragraphs.map(paragraphHtml).join('\n')}
${action ? buttonHtml(action) : ''}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
${facts.map(factHtml).join('\n')}
</table>
${action ? addressHtml(action.link) : ''}
<div class="rule" style="border-top:1px solid #e1e4ea;font-size:0;line-height:0">&nbsp;</div>
${notes.map(noteHtml).join('\n')}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`;
}

function buttonHtml({ label, link }: { label: string; link: string }): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:26px 0">
<tr><td align="center" bgcolor="#2f5bea" style="border-radius:8px;background-color:#2f5bea">
<a href="${escapeHtml(link)}" style="display:inline-block;padding:13px 26px;border:1px solid #2f5bea;border-radius:8px;${FONT};font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a>
</td></tr>
</table>`;
}

function addressHtml(link: string): string {
  const address = escapeHtml(link);
  return `<p class="faint" style="margin:24px 0 4px;font-size:13px;line-height:20px;color:#5b6472">If the button doesn’t work, open this address:</p>
<p style="margin:0 0 24px;font-size:13px;line-height:20px;word-break:break-all"><a class="link" href="${address}" style="color:#2149c9;text-decoration:underline">${address}</a></p>`;
}

function paragraphHtml(text: string): string {
  return `<p class="plain" style="margin:0 0 14px;font-size:16px;line-height:25px;color:#3a414d;word-break:break-word">${escapeHtml(text)}</p>`;
}

function factHtml({ label, value }: MailContent['facts'][number]): string {
  return `<tr><td class="faint" width="96" valign="top" style="padding:4px 12px 4px 0;${FONT};font-size:14px;line-height:21px;color:#5b6472">${escapeHtml(label)}</td><td class="strong" valign="top" style="padding:4px 0;${FONT};font-size:14px;line-height:21px;color:#14171d;word-break:break-word"><bdi>${escapeHtml(value)}</bdi></td></tr>`;
}

function noteHtml(text: string): string {
  return `<p class="faint" style="margin:16px 0 0;font-size:13px;line-height:20px;color:#5b6472">${escapeHtml(text)}</p>`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
