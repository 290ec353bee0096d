import { expect } from 'vitest';
import { STATUS_OF_CODE } from '../../../src/http/output/envelope.ts';
import type { ErrorCode } from '../../../src/core/errors.ts';
import type { Reply } from './client.ts';

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Expects a complete error envelope; returns its `details`. */
export function expectError(reply: Reply, code: ErrorCode): Record<string, unknown> {
  expect(reply.json, reply.text).toEqual({
    success: false,
    error: { code, message: expect.stringMatching(/./), details: expect.any(Object) },
    metadata: { timestamp: expect.stringMatching(ISO_TIME), requestId: expect.any(String) },
  });
  expect(reply.status).toBe(STATUS_OF_CODE[code]);
  expect(reply.headers.get('x-request-id')).toBe(reply.json.metadata.requestId);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return reply.json.error.details;
}

export interface FieldProblem {
  location: string;
  code: string;
  message: string;
}

/** Expects a 400 with at least one field error, all of them complete; returns them. */
export function expectInvalid(reply: Reply): FieldProblem[] {
  const { errors } = expectError(reply, 'VALIDATION_ERROR') as { errors: FieldProblem[] };
  expect(errors.length).toBeGreaterThan(0);
  for (const error of errors) {
    expect(error).toEqual({
      location: expect.stringMatching(/^(body|query|header|request)/),
      code: expect.stringMatching(/^[a-z0-9_]+$/),
      message: expect.stringMatching(/./),
    });
  }
  return errors;
}

/** The field errors in short form, for tables of expectations: `['body.name required']`. */
export function problemsOf(reply: Reply): string[] {
  return expectInvalid(reply).map(({ location, code }) => `${location} ${code}`);
}

/** Expects success, with this status if one is given; returns `data`. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of every shape
export function dataOf(reply: Reply, status?: number): any {
  if (status === undefined) expect(reply.status, reply.text).toBeLessThan(300);
  else expect(reply.status, reply.text).toBe(status);
  return reply.json?.data;
}

/** The status of a refusal, and the reason that it gives. */
export const reasonOf = ({ status, json }: Reply): unknown[] => [
  status,
  json.error?.details.reason,
];
