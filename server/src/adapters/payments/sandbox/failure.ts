/** What the API answers when it cannot do as asked; the SDK makes an error of it by status and type. */
export class SandboxFailure extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(
    status: number,
    message: string,
    more: { type?: string; code?: string; param?: string } = {},
  ) {
    super(message);
    this.name = 'SandboxFailure';
    this.status = status;
    this.type = more.type ?? 'invalid_request_error';
    this.code = more.code;
    this.param = more.param;
  }
}

/** As Stripe has it: 404 for what the path names, 400 for what a parameter does. */
export function noSuch(what: string, id: string, param = 'id'): SandboxFailure {
  return new SandboxFailure(param === 'id' ? 404 : 400, `No such ${what}: '${id}'`, {
    code: 'resource_missing',
    param,
  });
}

export function refused(message: string, code?: string, param?: string): SandboxFailure {
  return new SandboxFailure(400, message, {
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
  });
}
