/** Random sentences like those in a team's notes, put together from parts. */
const WHO = split(
  `The sales team|Our biggest customer|Maria from finance|The new intern|The board|Support|The design group
  |A partner in Lisbon|The legal department|Tom and Anika|The warehouse|Our accountant|The press office|Every engineer
  |The landlord|A former colleague|The night shift|The university lab|Procurement|The mobile team|A reviewer|The founder
  |The local council|Our translator`,
);
const DID = split(
  `decided to postpone|asked for a second look at|signed off on|complained about|wrote a summary of|wants to cancel
  |found a mistake in|is waiting for|paid twice for|praised|lost the notes on|started to rebuild|moved forward with
  |cannot reproduce|documented|shared photos of|translated|measured the effect of|voted against|doubled the budget for
  |learned a lot from|set a deadline for|invited everybody to|warned us about|handed over|forgot to mention`,
);
const WHAT = split(
  `the pricing page|the quarterly report|the office party|our backup strategy|the login problem|a bicycle rack
  |the onboarding guide|the contract with the bank|the coffee machine|the summer festival|the database migration
  |the travel policy|a podcast about gardening|the hiring plan|the broken elevator|the privacy audit|the chess tournament
  |the marketing campaign|a recipe for lentil soup|the search feature|the insurance claim|the river clean-up|the webinar
  |the printer on the third floor|the customer survey|the piano lessons|the tax return|the solar panels|the vaccine drive
  |the fire drill|the memory leak|the cat shelter|the annual picnic|the trade fair|the mountain hike|the password rules
  |the birthday cake|the research grant|the parking permits|the video call|the invoice template|the language course`,
);
const WHEN = split(
  `before the holidays|after a long discussion|because of the rain|last Thursday|for the third time|without telling anyone
  |during the train ride|as soon as the numbers are in|to save money|in the second quarter|with help from volunteers
  |despite the delay|over lunch|since the server crashed|on the first of March|for the whole family|to please the auditors
  |until the new manager arrives|while the office was closed|in front of two hundred guests`,
);
const ASK = split(
  `What happened with|Who knows about|When did we talk about|Is there a decision on|Why was there trouble with
  |How much did we spend on|What do people say about|Where are the notes on|What is the status of|Who is responsible for`,
);

export function sentences(count: number): string[] {
  return Array.from(
    { length: count },
    () => `${pick(WHO)} ${pick(DID)} ${pick(WHAT)} ${pick(WHEN)}.`,
  );
}

/** Subjects that `questions` uses only if you pass one of them. */
export const APART = WHAT.slice(-3);

export function questions(count: number, subject?: string): string[] {
  const others = WHAT.slice(0, -3);
  return Array.from(
    { length: count },
    () => `${pick(ASK)} ${subject ?? pick(others)} ${pick(WHEN)}?`,
  );
}

function split(list: string): string[] {
  return list.split('|').map((part) => part.trim());
}

function pick(parts: string[]): string {
  return parts[Math.floor(Math.random() * parts.length)] ?? '';
}
