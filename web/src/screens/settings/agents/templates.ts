import type { ToolName } from './tools.ts';

/** Somewhere to start from. People change what doesn't fit. */
export interface Template {
  name: string;
  description: string;
  instructions: string;
  tools: readonly ToolName[];
}

export const TEMPLATES: readonly Template[] = [
  {
    name: 'Meeting notes',
    description: 'Turns a discussion into decisions and next steps.',
    instructions: `Turn the conversation, or the notes in the question, into minutes.

Write three sections: Decisions, Next steps, Open questions.
- A decision says what was decided and why, in one sentence.
- A next step names one person and a date. If either is missing, write "nobody yet" or "no date".
- Leave out small talk and anything that was taken back later.

Use only what was said. If two people disagree and nobody settled it, it is an open question.`,
    tools: [],
  },
  {
    name: 'Support answers',
    description: 'Answers customers’ questions from your memory, with sources.',
    instructions: `Write an answer that we can send to a customer.

- Search memory first, also with other words than the customer used.
- Say only what a source supports, and cite it right after the sentence.
- If no source has the answer, say so and name who to ask or what to find out. Never guess prices, dates or promises.
- Friendly and plain, in the customer's language, five sentences at most. Steps go into a numbered list.`,
    tools: ['search_memory'],
  },
  {
    name: 'Release notes',
    description: 'Writes what changed for the people who use it.',
    instructions: `Write release notes from the changes in the conversation.

- Group them as Added, Changed, Fixed and Removed. Leave out empty groups.
- One line per change, starting with what people can do now or what works again. No internal names, no ticket numbers.
- If people have to do something, put it first, under "Before you update", with the exact steps.
- Leave out changes that nobody outside the team would notice.`,
    tools: [],
  },
  {
    name: 'Code review',
    description: 'Reads a change and says what to fix before it is merged.',
    instructions: `Review the code in the question or in the conversation.

- Begin with one sentence: safe to merge, or what has to change first.
- Then list problems, worst first: wrong results, lost data, security, races, missing error handling. For each, quote the line, say when it goes wrong, and show the fix.
- Mention style only if it hides a problem. Don't praise and don't repeat what the code does.
- If you can't tell without more code, say which part you need.`,
    tools: ['search_memory'],
  },
];
