/** How the API's messages about a field begin if they are the end of a sentence: "must be …". */
const PREDICATE = /^(must|is|are|was|has|have|had|contains|does|needs|can|cannot|could)\b/;

/** A message of the API as a sentence for people, in which `It` stands for what the message is about. */
export function toSentence(message: string): string {
  const whole = PREDICATE.test(message) ? `It ${message}` : message;
  const capitalised = whole.charAt(0).toUpperCase() + whole.slice(1);
  return /[.!?…]$/.test(capitalised) ? capitalised : `${capitalised}.`;
}

/** For a title that quotes what somebody typed. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
