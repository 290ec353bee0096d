const MAX_LENGTH = 60;

/** Letters that do not decompose into a base letter and a mark. One row per script, for readability. */
const TRANSLITERATIONS = new Map(
  [
    'ß:ss æ:ae œ:oe ø:o đ:d ð:d ł:l þ:th ı:i ħ:h ŋ:ng ĸ:k ŧ:t ə:e',
    'а:a б:b в:v г:g д:d е:e ё:e ж:zh з:z и:i й:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f',
    'х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya є:ye і:i ї:yi ґ:g ђ:dj ј:j љ:lj њ:nj ћ:c џ:dz ў:u',
    'α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o',
  ]
    .join(' ')
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/** The name in ASCII, with words joined by dashes. Empty if nothing of it can be transliterated. */
export function slugify(name: string): string {
  const ascii = name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\0-\x7f]/gu, (letter) => TRANSLITERATIONS.get(letter) ?? ' ');
  return ascii
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH + 1)
    .replaceAll(/^-+/g, '')
    .slice(0, MAX_LENGTH)
    .replaceAll(/-+$/g, '');
}
