import type { Dispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { joinChunks } from './join-chunks.ts';

/** Of responses that a test left open. They would count as answers that are being written. */
const ends: (() => void)[] = [];
const controller = {} as Dispatcher.DispatchController;

/** A response whose pieces the test sends, and what is passed on of it. */
function createResponse() {
  const passedOn: string[] = [];
  const handler = joinChunks({
    onResponseData: (_, chunk) => void passedOn.push(chunk.toString()),
    onResponseEnd: () => void passedOn.push('(end)'),
    onResponseError: (_, { message }) => void passedOn.push(`(${message})`),
  });
  handler.onResponseStart?.(controller, 200, {});
  ends.push(() => handler.onResponseEnd?.(controller, {}));
  return {
    passedOn,
    send: (text: string) => handler.onResponseData?.(controller, Buffer.from(text)),
    end: () => handler.onResponseEnd?.(controller, {}),
    fail: () => handler.onResponseError?.(controller, new Error('reset')),
  };
}

/** What comes after these is joined. */
function createJoining() {
  const response = createResponse();
  const first = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
  for (const piece of first) response.send(piece);
  expect(response.passedOn.splice(0)).toEqual(first);
  return response;
}

describe('pieces of an answer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    for (const end of ends.splice(0)) end();
    vi.useRealTimers();
  });

  it('are joined after the first ones, for a tenth of a second', () => {
    const { send, passedOn } = createJoining();
    for (const piece of ['a', 'b', 'c']) send(piece);
    vi.advanceTimersByTime(79);
    expect(passedOn).toEqual([]);
    vi.advanceTimersByTime(41);
    expect(passedOn).toEqual(['abc']);
  });

  it('are joined for longer while there are many answers, and no longer when those have ended', () => {
    const others = Array.from({ length: 400 }, createResponse);
    const { send, passedOn } = createJoining();
    send('a');
    vi.advanceTimersByTime(300);
    expect(passedOn).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(passedOn).toEqual(['a']);
    for (const other of others.splice(200)) other.end();
    for (const other of others) other.fail();
    send('b');
    vi.advanceTimersByTime(120);
    expect(passedOn).toEqual(['a', 'b']);
  });

  it('do not wait after a pause', () => {
    const { send, passedOn } = createJoining();
    vi.advanceTimersByTime(120);
    send('a');
    expect(passedOn).toEqual(['a']);
  });

  it('are passed on before the end, which does not wait', () => {
    const { send, end, passedOn } = createJoining();
    send('a');
    end();
    vi.advanceTimersByTime(120);
    expect(passedOn).toEqual(['a', '(end)']);
  });

  it('are passed on before a failure', () => {
    const { send, fail, passedOn } = createJoining();
    send('a');
    fail();
    vi.advanceTimersByTime(120);
    expect(passedOn).toEqual(['a', '(reset)']);
  });

  it('are passed on at once when they are many bytes', () => {
    const { send, passedOn } = createJoining();
    send('x'.repeat(40_000));
    send('y'.repeat(40_000));
    expect(passedOn.map(({ length }) => length)).toEqual([80_000]);
  });
});
