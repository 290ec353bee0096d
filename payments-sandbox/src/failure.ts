export interface FailureDetails {
  type?: string;
  code?: string | undefined;
  param?: string | undefined;
}

/** An error response of the API. The SDK turns it into an error class by status and type. */
export class SandboxFailure extends Error {
  readonly status: number;
  readonly details: FailureDetails;

  constructor(status: number, message: string, details: FailureDetails = {}) {
    super(message);
    this.name = 'SandboxFailure';
    this.status = status;
    this.details = details;
  }
}

/** As in Stripe: 404 if the path names the object, 400 if a parameter does. */
export function noSuch(what: string, id: string, param = 'id'): SandboxFailure {
  const status = param === 'id' ? 404 : 400;
  return new SandboxFailure(status, `No such ${what}: '${id}'`, {
    code: 'resource_missing',
    param,
  });
}

export function refused(message: string, code?: string, param?: string): SandboxFailure {
  return new SandboxFailure(400, message, { code, param });
}
