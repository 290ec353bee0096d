import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { chance } from './chance.ts';
import type { Haystack } from './haystack.ts';
import { readFileOf } from './repositories.ts';
import { anySpeaker, anyStyle, createCalendar, joinTokens, type Style } from './writing.ts';

const Locomo = z.object({
  conversations: z.array(
    z.object({
      conversation: z.string(),
      memories: z.array(z.object({ id: z.string(), content: z.string() })),
      questions: z.array(z.object({ query: z.string(), evidence: z.array(z.string()) })),
    }),
  ),
});

/** Evaluation only: the file that `npm run bench -- recall` reads, at LOCOMO. */
export function readLocomo(): Haystack[] {
  const file = readFileSync(process.env['LOCOMO'] ?? 'locomo-dev.json', 'utf8');
  return Locomo.parse(JSON.parse(file)).conversations.map((each) => {
    const placeOf = new Map(each.memories.map(({ id }, at) => [id, at]));
    return {
      source: `eval-locomo-${each.conversation}`,
      memories: each.memories.map(({ content }) => content),
      questions: each.questions.map(({ query, evidence }) => ({
        text: query,
        answers: evidence.flatMap((id) => placeOf.get(id) ?? []),
      })),
    };
  });
}

const Turn = z.object({
  dia_id: z.string(),
  speaker: z.string(),
  date_time: z.string(),
  clean_text: z.string(),
});
const Chat = z.object({
  qa: z.array(z.object({ question: z.string(), evidence: z.array(z.string()).nullish() })),
});
const CHATS = [
  'Chat_1_Emi_Elise Chat_2_Kevin_Elise Chat_3_Kevin_Paola Chat_4_Emi_Paola Chat_5_Nicolas_Nebraas',
  'Chat_6_Vanessa_Nicolas Chat_7_Nebraas_Vanessa Chat_8_Akib_Muhhamed Chat_9_Fahim_Akib',
  'Chat_10_Fahim_Muhhamed',
].flatMap((names) => names.split(' '));

/** Evaluation only: real chats. The repository states no licence, so nothing is trained on them. */
export function readRealtalk(): Haystack[] {
  return CHATS.map((name) => {
    const chat = JSON.parse(readFileOf('danny911kr/REALTALK', `data/${name}.json`)) as object;
    const sessions = Object.entries(chat).filter(([key]) => /^session_\d+$/.test(key));
    const inOrder = sessions.toSorted(([a], [b]) => Number(a.slice(8)) - Number(b.slice(8)));
    const turns = inOrder.flatMap(([, session]) => z.array(Turn).parse(session));
    const placeOf = new Map(turns.map((turn, at) => [turn.dia_id, at]));
    const questions = Chat.parse(chat).qa.map(({ question, evidence }) => {
      const named = (evidence ?? []).flatMap((each) => [...each.matchAll(/D(\d+):0*(\d+)/g)]);
      const answers = named.flatMap(
        ([, session, turn]) => placeOf.get(`D${session}:${turn}`) ?? [],
      );
      return { text: question, answers };
    });
    return {
      source: `eval-realtalk-${name}`,
      memories: turns.map((turn) => `${turn.speaker} (${turn.date_time}): ${turn.clean_text}`),
      questions: questions.filter(({ answers }) => answers.length > 0),
    };
  });
}

const Friends = z.object({
  data: z.array(
    z.object({
      paragraphs: z.array(
        z.object({
          'utterances:': z.array(
            z.object({ uid: z.number(), speakers: z.array(z.string()), utterance: z.string() }),
          ),
          qas: z.array(
            z.object({
              question: z.string(),
              answers: z.array(z.object({ utterance_id: z.number() })),
            }),
          ),
        }),
      ),
    }),
  ),
});
const SCENES_TOGETHER = 5;

/** Scenes of a series, five in a haystack. `dev` is for training, `tst` for evaluation. */
export function readFriends(part: 'dev' | 'tst'): Haystack[] {
  const isForTraining = part === 'dev';
  const { data } = Friends.parse(
    JSON.parse(readFileOf('emorynlp/FriendsQA', `dat/friendsqa_${part}.json`)),
  );
  const haystacks: Haystack[] = [];
  const nextDay = createCalendar();
  let style: Style = (name, _, text) => `${name}: ${text}`;
  for (const [at, scene] of data.entries()) {
    if (at % SCENES_TOGETHER === 0) {
      const source = isForTraining ? 'friends' : 'eval-friends';
      haystacks.push({ source, memories: [], questions: [] });
      if (isForTraining) style = anyStyle();
    }
    const { memories, questions } = haystacks.at(-1) as Haystack;
    const day = nextDay();
    for (const { 'utterances:': utterances, qas } of scene.paragraphs) {
      const placeOf = new Map<number, number>();
      for (const { uid, speakers, utterance } of utterances) {
        placeOf.set(uid, memories.length);
        memories.push(style(speakers.join(' and ') || 'Note', day, joinTokens(utterance)));
      }
      for (const { question, answers } of qas) {
        const places = new Set(answers.flatMap(({ utterance_id: id }) => placeOf.get(id) ?? []));
        if (places.size > 0 && places.size <= 5)
          questions.push({ text: question, answers: [...places] });
      }
    }
  }
  return haystacks;
}

/** Sentences of articles, each with its questions. Training and evaluation use different lines. */
export function readSquad(
  part: 'dev' | 'test',
  {
    from,
    to,
    size,
    isForTraining,
  }: { from: number; to: number; size: number; isForTraining: boolean },
): Haystack[] {
  const lines = (kind: 'src' | 'tgt') =>
    readFileOf('xinyadu/nqg', `data/processed/${kind}-${part}.txt`).split('\n');
  const [sentences, asked] = [lines('src'), lines('tgt')];
  const haystacks: Haystack[] = [];
  const nextDay = createCalendar();
  let placeOf = new Map<string, number>();
  let style: Style | undefined;
  for (let at = from; at < Math.min(to, sentences.length); at++) {
    const sentence = joinTokens(sentences[at]?.trim() ?? '');
    const text = joinTokens(asked[at]?.trim() ?? '');
    if (sentence.length < 25 || sentence.length > 600 || text.length < 12) continue;
    if ((haystacks.at(-1)?.memories.length ?? size) >= size) {
      const source = isForTraining ? 'squad' : 'eval-squad';
      haystacks.push({ source, memories: [], questions: [] });
      placeOf = new Map();
      style = isForTraining && chance() < 0.4 ? anyStyle() : undefined;
    }
    const { memories, questions } = haystacks.at(-1) as Haystack;
    if (!placeOf.has(sentence)) {
      placeOf.set(sentence, memories.length);
      memories.push(style ? style(anySpeaker().name, nextDay(), sentence) : sentence);
    }
    questions.push({ text, answers: [placeOf.get(sentence) ?? 0] });
  }
  return haystacks;
}

const Meeting = z.object({
  meeting_transcripts: z.array(z.object({ speaker: z.string(), content: z.string() })),
  specific_query_list: z.array(
    z.object({
      query: z.string(),
      relevant_text_span: z.array(z.tuple([z.coerce.number(), z.coerce.number()])),
    }),
  ),
});
const MEETINGS = [
  'Academic/jsonl/train Academic/jsonl/val Committee/jsonl/train Committee/jsonl/val',
  'Product/jsonl/val Product/jsonl/test',
].flatMap((names) => names.split(' '));
const MOST_TURNS = 600;

/** Meetings. Turns of fewer than six words say too little. */
export function readQmsum(): Haystack[] {
  const files = MEETINGS.map((name) => readFileOf('Yale-LILY/QMSum', `data/${name}.jsonl`));
  const haystacks = files
    .flatMap((file) => file.split('\n').filter((line) => line !== ''))
    .map((line) => readMeeting(Meeting.parse(JSON.parse(line))));
  return haystacks.filter(
    ({ memories, questions }) => memories.length > 30 && questions.length > 1,
  );
}

function readMeeting(meeting: z.output<typeof Meeting>): Haystack {
  const [style, day] = [anyStyle(), createCalendar()()];
  const memories: string[] = [];
  const placeOf = new Map<number, number>();
  for (const [at, { speaker, content }] of meeting.meeting_transcripts.entries()) {
    const words = content
      .replaceAll(/\{[^}]*\}/g, '')
      .split(/\s+/)
      .filter((word) => word !== '');
    if (words.length < 6 || memories.length >= MOST_TURNS) continue;
    placeOf.set(at, memories.length);
    memories.push(style(speaker, day, words.slice(0, 90).join(' ')));
  }
  const questions = meeting.specific_query_list.map(({ query, relevant_text_span: spans }) => {
    const turns = spans.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, at) => from + at),
    );
    return { text: query, answers: turns.flatMap((turn) => placeOf.get(turn) ?? []) };
  });
  const isUseful = ({ answers }: { answers: number[] }) =>
    answers.length > 0 && answers.length <= 10;
  return { source: 'qmsum', memories, questions: questions.filter(isUseful) };
}
