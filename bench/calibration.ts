import {
  CALIBRATION,
  headStart,
  scoreOf,
  similarityOf,
  type Basis,
  type Scores,
} from '../server/src/features/memory/search/ranking.ts';

/** A memory that a search may return, and whether it answers the question. */
export interface Judged {
  scores: Scores;
  isAnswer: boolean;
}

/** How many of a ranking's best are looked at: as many as are re-ranked. */
const LOOKED_AT = 50;
const THRESHOLDS = [0.005, 0.01, 0.02, 0.03, 0.04, 0.06, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7];

/** The scores of a memory if it could only be compared by this. */
const SEEN_BY: Record<Basis, (scores: Scores) => Scores> = {
  all: (scores) => scores,
  first: (scores) => ({ ...scores, rerank: null }),
  tokens: (scores) => ({ ...scores, vector: null }),
  words: ({ lexical }) => ({ vector: null, lexical, rerank: null }),
};

/** Prints the calibration that fits best, for each thing that memories can be compared by. */
export function reportFit(questions: readonly Judged[][]): void {
  process.stdout.write('\ncalibration: the log-odds of an answer are base + slope * similarity\n');
  for (const [name, seenBy] of Object.entries(SEEN_BY)) {
    const points = questions.flatMap((judged) => bestOf(judged, seenBy));
    const { base, slope } = fitLogistic(points);
    const used = CALIBRATION[name as Basis];
    process.stdout.write(
      `  ${name.padEnd(7)} base ${base.toFixed(2)}, slope ${slope.toFixed(2)} (in use: ${used.base}, ${used.slope})\n`,
    );
  }
}

/**
 * Prints what a threshold on the score gives. `unanswered` are the best scores of questions that nothing
 * answers: those of other conversations.
 */
export function reportCurve(questions: readonly Judged[][], unanswered: readonly number[]): void {
  const found = questions.map((judged) => scored(bestOf(judged, SEEN_BY.all), judged.length));
  const all = found.flat();
  const answers = questions.flat().filter(({ isAnswer }) => isAnswer).length;
  process.stdout.write(
    '\nthreshold  precision  recall  questions with a match  with an answer  unanswerable with a match\n',
  );
  for (const threshold of THRESHOLDS) {
    const kept = all.filter(({ score }) => score >= threshold);
    const right = kept.filter(({ isAnswer }) => isAnswer).length;
    const withMatch = found.filter((each) => each.some(({ score }) => score >= threshold));
    const withAnswer = found.filter((each) =>
      each.some(({ score, isAnswer }) => isAnswer && score >= threshold),
    );
    const wrong = unanswered.filter((score) => score >= threshold).length / unanswered.length;
    const figures = [
      right / kept.length,
      right / answers,
      withMatch.length / found.length,
      withAnswer.length / found.length,
      wrong,
    ];
    process.stdout.write(
      `  ${threshold.toFixed(3).padStart(7)}  ${figures.map((figure) => figure.toFixed(3).padStart(9)).join('  ')}\n`,
    );
  }
  reportBins(all);
}

interface Scored {
  score: number;
  isAnswer: boolean;
}

/** Whether a score of 0.3 means that three of ten are answers. */
function reportBins(all: readonly Scored[]): void {
  const bins = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01];
  const shown = bins.slice(1).map((to, at) => {
    const inside = all.filter(({ score }) => score >= (bins[at] ?? 0) && score < to);
    const mean = inside.reduce((sum, { score }) => sum + score, 0) / inside.length;
    const share = inside.filter(({ isAnswer }) => isAnswer).length / inside.length;
    return `${mean.toFixed(2)} → ${share.toFixed(2)} (${inside.length})`;
  });
  process.stdout.write(`\nmean score → share of answers (matches): ${shown.join(', ')}\n`);
}

interface Point {
  /** What is added to the log-odds anyway. */
  start: number;
  scores: Scores;
  similarity: number;
  isAnswer: boolean;
}

function bestOf(judged: readonly Judged[], seenBy: (scores: Scores) => Scores): Point[] {
  return judged
    .map(({ scores, isAnswer }) => {
      const seen = seenBy(scores);
      const start = headStart(judged.length);
      return { start, scores: seen, similarity: similarityOf(seen), isAnswer };
    })
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, LOOKED_AT);
}

function scored(points: readonly Point[], among: number): Scored[] {
  return points.map(({ scores, isAnswer }) => ({
    score: scoreOf(scores, { trust: 1, among }),
    isAnswer,
  }));
}

/** Logistic regression with one variable, by Newton's method. */
function fitLogistic(points: readonly Point[]): { base: number; slope: number } {
  let base = 0;
  let slope = 0;
  for (let step = 0; step < 30; step++) {
    let [gradient0, gradient1, hessian00, hessian01, hessian11] = [0, 0, 1e-6, 0, 1e-6];
    for (const { start, similarity, isAnswer } of points) {
      const chance = 1 / (1 + Math.exp(-(start + base + slope * similarity)));
      const error = Number(isAnswer) - chance;
      const weight = chance * (1 - chance);
      gradient0 += error;
      gradient1 += error * similarity;
      hessian00 += weight;
      hessian01 += weight * similarity;
      hessian11 += weight * similarity * similarity;
    }
    const determinant = hessian00 * hessian11 - hessian01 * hessian01;
    base += (hessian11 * gradient0 - hessian01 * gradient1) / determinant;
    slope += (hessian00 * gradient1 - hessian01 * gradient0) / determinant;
  }
  return { base, slope };
}
