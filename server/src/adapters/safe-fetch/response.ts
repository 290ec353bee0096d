import type { ReadableStream as WebStream } from 'node:stream/web';
import type { Response as UndiciResponse } from 'undici';
import type { OutgoingCall } from './call.ts';
import { describeFailure } from './failure.ts';
import { CallFailed } from './safe-fetch.ts';

/**
 * The platform's own Response, because the MCP library checks the class. Its body is subject to the call's
 * limits. The call ends when the body has been read, was cancelled or failed.
 */
export function responseOf(
  from: UndiciResponse,
  call: OutgoingCall,
  isRedirected: boolean,
): Response {
  const { maxBytes } = call.limits;
  if (from.body && !from.headers.has('content-encoding')) {
    const length = Number(from.headers.get('content-length') ?? 0);
    if (length > maxBytes) throw tooLarge(maxBytes);
  }
  const body = from.body && boundedBody(from.body, call);
  const { status, statusText, url } = from;
  let response: Response;
  try {
    response = new Response(body, { status, statusText, headers: [...from.headers] });
  } catch {
    throw new CallFailed('bad_answer', 'the response has an invalid HTTP status');
  }
  Object.defineProperty(response, 'url', { value: url });
  Object.defineProperty(response, 'redirected', { value: isRedirected });
  if (body === null) call.end();
  return response;
}

function boundedBody(source: WebStream<Uint8Array>, call: OutgoingCall): WebStream<Uint8Array> {
  const reader = source.getReader();
  let left = call.limits.maxBytes;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            call.end();
            return;
          }
          left -= value.byteLength;
          if (left < 0) throw tooLarge(call.limits.maxBytes);
          controller.enqueue(value);
        } catch (error) {
          const failure = failureOf(error, call);
          controller.error(failure);
          call.end(failure);
        }
      },
      cancel: () => call.end(),
    },
    // Does not read ahead.
    { highWaterMark: 0 },
  );
}

/** If the call was stopped, returns the reason for that. */
export function failureOf(error: unknown, { signal }: OutgoingCall): unknown {
  return signal.aborted ? signal.reason : describeFailure(error);
}

function tooLarge(maxBytes: number): CallFailed {
  const limit = maxBytes < 1024 * 1024 ? `${maxBytes} bytes` : `${maxBytes / 1024 / 1024} MiB`;
  return new CallFailed('too_large', `the response is larger than ${limit}`);
}
