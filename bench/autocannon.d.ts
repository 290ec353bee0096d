/** The parts of autocannon that the benchmarks use. It ships no types. */
declare module 'autocannon' {
  interface Request {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string;
  }

  interface Options {
    url: string;
    connections: number;
    duration: number;
    requests: { setupRequest(request: Request): Request }[];
  }

  interface Result {
    non2xx: number;
    '3xx': number;
    errors: number;
    requests: { average: number };
    latency: { p50: number; p99: number };
  }

  export default function autocannon(options: Options): Promise<Result>;
}
