import { regular } from './irregular.ts';
import { stemFrench, stemGerman, stemSpanish } from './light-stems.ts';
import { mayComeAgain, remembering } from './remembering.ts';
import { stem } from './stem.ts';

/** Languages with stop words and a stemmer of their own. Any other text is read like English. */
export const LANGUAGES = ['en', 'de', 'es', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Words that say nothing about a text's subject, in lower case and without accents. */
const STOP_WORDS: Record<Language, ReadonlySet<string>> = {
  en: wordsIn(`a about above after again against all also am an and any are as at be because been before being below
   between both but by can could d did do does doing don down during each few for from further had has
   have having he her here hers him his how i if in into is it its just ll m me more most my no nor not
   now of off on once only or other our ours out over own re s same she should so some such t than that
   the their theirs them themselves then there these they this those through to too under until up ve
   very was we were what when where which while who whom why will with would you your yours yourself`),
  de: wordsIn(`aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist
   da dabei damit dann das dass dazu dein deine dem den denn der des dich die dies diese diesem diesen dieser
   dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer eure fur gegen gibt
   habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja
   jede jedem jeden jeder jedes jetzt kann kein keine keinen konnen konnte machen man mehr mein meine meinem
   meinen meiner mich mir mit muss mussen nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem
   seinen seiner seit sich sie sind so soll sollen sollte sondern uber um und uns unser unsere unserem unseren
   unserer unter viel viele vom von vor wann war waren warum was weil welche welchem welchen welcher welches
   wem wen wenn wer werde werden wie wieder will wir wird wo wohin worden wurde wurden zu zum zur zwischen`),
  es: wordsIn(`a al algo algun alguna algunas alguno algunos ante antes asi aun aunque cada como con cual cuales cuando
   cuanta cuantas cuanto cuantos de del desde donde dos durante e el ella ellas ellos en entre era eran es esa
   esas ese eso esos esta estaba estamos estan estar estas este esto estos estoy fue fueron ha haber habia han
   hasta hay he hemos hace hacen la las le les lo los mas me mi mis mucho muchos muy nada ni no nos nosotros
   nuestra nuestras nuestro nuestros o os otra otras otro otros para pero poco por porque que quien quienes se
   sea ser si sin sobre solo son su sus tambien tan tanto te tener tenemos tiene tienen todo todos todas toda
   tu tus un una unas uno unos usted ustedes y ya yo`),
  fr: wordsIn(`a ai ainsi alors apres au aucun aucune aussi autre autres aux avait avant avec avez avoir avons c ca car ce
   cela ces cet cette ceux chaque chez combien comme comment d dans de depuis des deux doit donc du elle elles
   en encore entre es est et etaient etait etant ete etes etre eu fait faire font il ils j je l la le les leur
   leurs lors lui m ma mais me meme mes moi moins mon n ne ni non nos notre nous on ont ou par parce pas peut
   peuvent plus pour pourquoi pres qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si
   son sont sous sur ta te tes toi ton tous tout toute toutes tres tu un une va vers vos votre vous y`),
};

const stemEnglish = remembering((word) => stem(regular(word)));

const STEMS: Record<Language, (word: string) => string> = {
  en: (word) => (mayComeAgain(word) ? stemEnglish(word) : word),
  de: stemGerman,
  es: stemSpanish,
  fr: stemFrench,
};

/** How many words of a text are looked at to learn its language. */
const LOOKED_AT = 200;

/** The language whose stop words are the most frequent. Undefined if none is. */
export function languageOf(words: Iterable<string>): Language | undefined {
  const counts = LANGUAGES.map((language) => ({ language, count: 0 }));
  let seen = 0;
  for (const word of words) {
    for (const each of counts) if (STOP_WORDS[each.language].has(word)) each.count++;
    if (++seen === LOOKED_AT) break;
  }
  const [first, second] = counts.toSorted((a, b) => b.count - a.count);
  return first && second && first.count > second.count ? first.language : undefined;
}

/** The word must be in lower case and without accents, here and below. */
export function isStopWordIn(language: Language, word: string): boolean {
  return STOP_WORDS[language].has(word);
}

/** What words of one family have in common. */
export function termIn(language: Language, word: string): string {
  return STEMS[language](word);
}

function wordsIn(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
