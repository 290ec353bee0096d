import { regular } from '../../server/src/text/words/irregular.ts';
import { chance, pick } from './chance.ts';
import type { Speaker } from './writing.ts';

/**
 * Questions that a sentence in the first person answers, by rules: "I adopted a dog last week" answers "When
 * did Ann adopt a dog?". Rules are rough, and a question that makes little sense does little harm.
 */
export function askAbout(text: string, speaker: Speaker): string[] {
  const asked = text
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => !sentence.includes('?'))
    .flatMap((sentence) => askAboutSentence(tidy(sentence), speaker));
  return [...new Set(asked)].map(vary).filter((question) => {
    const { length } = question.split(' ');
    return length >= 4 && length <= 18;
  });
}

const OPENINGS =
  /^((yeah|yes|well|oh|no|thanks|so|and|but|actually|wow|cool|sure|also|usually|sometimes|lately)[,!. ]+)+/i;
const JOBS =
  /\b(teacher|nurse|doctor|student|engineer|writer|lawyer|chef|artist|musician|mechanic|farmer|pilot|manager|accountant|librarian|programmer|developer|designer|photographer|waiter|firefighter|vet|actor|carpenter|electrician|baker|journalist|scientist|therapist|cashier|driver|dentist|banker)\b/i;
const TIMES =
  /\b(yesterday|today|tonight|tomorrow|recently|(last|next|this|every|on) \w+|\w+ (days?|weeks?|months?|years?) ago)\b/i;
const SAYS_LITTLE =
  /^(think|know|guess|hope|mean|agree|understand|see|bet|hear|appreciate|will|can|could|would|should|might|do)$/;

function tidy(sentence: string): string {
  return sentence
    .replace(/[.!"]+$/, '')
    .replace(OPENINGS, '')
    .replaceAll(/\bI'm\b/g, 'I am')
    .replaceAll(/\bI've\b/g, 'I have')
    .replaceAll(/\bI'd\b/g, 'I would')
    .replaceAll(/\bI'll\b/g, 'I will')
    .replace(/^My\b/, 'my');
}

function askAboutSentence(sentence: string, speaker: Speaker): string[] {
  const { name } = speaker;
  const favourite = /^my favou?rite ([\w' -]{3,30}?) (is|are) /i.exec(sentence);
  if (favourite) {
    const [, what, be] = favourite;
    return [pick([`What ${be} ${name}'s favorite ${what}?`, `Which ${what} does ${name} prefer?`])];
  }
  const own = /^my ([\w' -]{3,40}?) (is|was|are|were|has|have|lives?|works?) /i.exec(sentence);
  if (own) {
    const his = speaker.isShe ? 'her' : 'his';
    return [pick([`What does ${name} say about ${his} ${own[1]}?`, `How is ${name}'s ${own[1]}?`])];
  }
  const [, rest] = /^I (.{6,})$/.exec(sentence) ?? [];
  if (rest === undefined) return [];
  const [clause = ''] = rest.split(/,? (?:but|so|and I|which|although|because)\b/);
  const words = inThirdPerson(clause.replace(TIMES, ''), speaker).split(' ').filter(Boolean);
  if (words.length < 2 || words.length > 18) return [];
  if (/^(am|was)$/.test(words[0] ?? '')) return askAboutState(words, speaker);
  return askAboutDoing(words, speaker, {
    hasTime: TIMES.test(clause),
    hasReason: /because/.test(rest),
  });
}

function inThirdPerson(text: string, { isShe }: Speaker): string {
  const [he, his, him] = isShe ? ['she', 'her', 'her'] : ['he', 'his', 'him'];
  return text
    .replaceAll(/\bmyself\b/g, isShe ? 'herself' : 'himself')
    .replaceAll(/\bmy\b/g, his)
    .replaceAll(/\bme\b/g, him)
    .replaceAll(/\bI\b/g, he);
}

function askAboutState([be, ...rest]: string[], { name }: Speaker): string[] {
  const tense = be === 'am' ? 'is' : 'was';
  const tail = rest.join(' ');
  if (JOBS.test(tail))
    return [pick([`What does ${name} do for a living?`, `What is ${name}'s job?`])];
  if (/^\w+ing\b/.test(tail)) {
    return [pick([`What ${tense} ${name} ${rest[0]}?`, `When ${tense} ${name} ${tail}?`])];
  }
  if (tail.startsWith('from')) return [`Where does ${name} come from?`];
  if (/^(in|at)\b/.test(tail)) return [`Where ${tense} ${name}?`];
  if (/^(afraid|scared|allergic|interested|excited|nervous|proud|worried)\b/.test(tail)) {
    return rest.length > 2
      ? [`What ${tense} ${name} ${rest[0]} ${rest[1]}?`]
      : [`How does ${name} feel?`];
  }
  return /^(a|an|the)\b/.test(tail) ? [`What kind of person ${tense} ${name}?`] : [];
}

function askAboutDoing(
  words: string[],
  { name }: Speaker,
  { hasTime, hasReason }: { hasTime: boolean; hasReason: boolean },
): string[] {
  const at = words.findIndex((word) => !/ly$|^(always|never|often|also|still|even)$/.test(word));
  const said = words[at] ?? '';
  const verb = baseOf(said);
  const tail = words.slice(at + 1);
  if (tail.length === 0 || said === 'used' || SAYS_LITTLE.test(verb)) return [];
  const isPast = verb !== said && !said.endsWith('s');
  const does = isPast ? 'did' : 'does';
  const end = tail.findIndex(
    (word, place) => place > 0 && /^(to|at|in|from|on|with|for|about)$/.test(word),
  );
  const object = end === -1 ? tail : tail.slice(0, end);
  const options = [`What ${does} ${name} ${verb}?`];
  if (isPast || hasTime) options.push(`When ${does} ${name} ${verb} ${object.join(' ')}?`);
  if (hasReason) options.push(`Why ${does} ${name} ${verb} ${tail.join(' ')}?`);
  if (/\b(to|at|in|from|near) (the|a|an|his|her|[A-Z])/.test(tail.join(' '))) {
    options.push(`Where ${does} ${name} ${verb} ${object.join(' ')}?`);
  }
  if (tail.includes('with')) options.push(`Who ${does} ${name} ${verb} ${object.join(' ')} with?`);
  if (/^(love|like|enjoy)$/.test(verb)) options.push(`What are ${name}'s hobbies?`);
  return chance() < 0.5 ? [pick(options), pick(options)] : [pick(options)];
}

/** The infinitive, nearly. */
function baseOf(verb: string): string {
  const known = regular(verb);
  if (known !== verb) return known;
  if (verb.endsWith('ied')) return verb.replace(/ied$/, 'y');
  return verb.replace(/([^aeiou])\1ed$/, '$1').replace(/(?<=[aeiou][^aeiou]|[^e])ed$/, '');
}

const OTHER_WORDS: Record<string, string> = {
  like: 'enjoy',
  love: 'enjoy',
  job: 'work',
  kids: 'children',
  mom: 'mother',
  dad: 'father',
  movie: 'film',
  big: 'large',
  favorite: 'preferred',
  car: 'vehicle',
  trip: 'journey',
  pet: 'animal',
};

/** People ask in words of their own. */
function vary(question: string): string {
  if (chance() > 0.3) return question;
  return question.replaceAll(/\b[a-z]+\b/g, (word) => OTHER_WORDS[word] ?? word);
}
