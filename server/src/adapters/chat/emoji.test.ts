import { describe, expect, it } from 'vitest';
import { EMOJI_GROUPS, formsOf } from '../../text/emoji/emoji.ts';
import { emojiOf, mattermostName, slackName } from './emoji.ts';

const HAIR = ['🦰', '🦱', '🦲', '🦳'];
const forms = EMOJI_GROUPS.flatMap(({ emoji }) => emoji.flatMap(formsOf)).map(({ text }) => text);
const named = forms.filter((text) => !HAIR.includes(text));

describe.each([
  ['Slack', slackName],
  ['Mattermost', mattermostName],
])('the names in %s', (_system, nameOf) => {
  it('lead from every emoji and back', () => {
    expect(named).toHaveLength(3786);
    expect(named.map((text) => emojiOf(nameOf(text) ?? ''))).toEqual(named);
    expect(new Set(named.map(nameOf)).size).toBe(named.length);
    expect(HAIR.map(nameOf)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('are of letters that fit into an address and a reaction there', () => {
    expect(named.map(nameOf).filter((name) => !/^[a-z0-9_+:-]+$/.test(name ?? ''))).toEqual([]);
  });
});

it.each([
  ['+1', '👍', '+1', '+1'],
  ['thumbsup', '👍', '+1', '+1'],
  ['heart', '❤️', 'heart', 'heart'],
  ['rofl', '🤣', 'rolling_on_the_floor_laughing', 'rolling_on_the_floor_laughing'],
  ['skin-tone-2', '🏻', 'skin-tone-2', 'skin-tone-2'],
  ['+1::skin-tone-3', '👍🏼', '+1::skin-tone-3', '+1_medium_light_skin_tone'],
  ['+1_medium_dark_skin_tone', '👍🏾', '+1::skin-tone-5', '+1_medium_dark_skin_tone'],
  ['v::skin-tone-6', '✌🏿', 'v::skin-tone-6', 'v_dark_skin_tone'],
  [
    'handshake::skin-tone-2-6',
    '🫱🏻‍🫲🏿',
    'handshake::skin-tone-2-6',
    'handshake_light_skin_tone_dark_skin_tone',
  ],
  [
    'two_women_holding_hands::skin-tone-2',
    '👭🏻',
    'two_women_holding_hands::skin-tone-2',
    'two_women_holding_hands_light_skin_tone',
  ],
  [
    'people_holding_hands::skin-tone-4-4',
    '🧑🏽‍🤝‍🧑🏽',
    'people_holding_hands::skin-tone-4',
    'people_holding_hands_medium_skin_tone_medium_skin_tone',
  ],
  ['rocket::skin-tone-3', '🚀', 'rocket', 'rocket'],
])('%s is %s', (name, text, inSlack, inMattermost) => {
  expect(emojiOf(name)).toBe(text);
  expect([slackName(text), mattermostName(text)]).toEqual([inSlack, inMattermost]);
});

it.each(['party_parrot', '', '__proto__', '+1::skin-tone-9', '_dark_skin_tone'])(
  '%j is unknown',
  (name) => expect(emojiOf(name)).toBeUndefined(),
);
