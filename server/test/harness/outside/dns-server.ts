import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';

/** The answer for a name. Addresses of both families; the query type selects which are sent. */
export interface DnsAnswer {
  addresses?: readonly string[];
  /** The canonical name of the addresses. */
  cname?: string;
  /** 2: server failure; 3: no such name. */
  code?: number;
  delayMs?: number;
  isSilent?: boolean;
}

export interface DnsQuestion {
  name: string;
  type: 'A' | 'AAAA';
  /** How many times this name was queried before. */
  askedBefore: number;
}

export interface DnsServer {
  /** For DNS_SERVERS. */
  address: string;
  questions: DnsQuestion[];
  close(): Promise<void>;
}

const TYPES: Record<number, DnsQuestion['type']> = { 1: 'A', 28: 'AAAA' };
const NO_SUCH_NAME: DnsAnswer = { code: 3 };

/** A DNS server on UDP. `answer` returns undefined for an unknown name. */
export async function startDnsServer(
  answer: (question: DnsQuestion) => DnsAnswer | undefined,
): Promise<DnsServer> {
  const questions: DnsQuestion[] = [];
  const socket = createSocket('udp4');

  async function reply(query: Buffer, port: number): Promise<void> {
    const { name, type, end } = readQuestion(query);
    const isSame = (each: DnsQuestion) => each.name === name && each.type === type;
    const question = { name, type, askedBefore: questions.filter(isSame).length };
    questions.push(question);
    const found = answer(question) ?? NO_SUCH_NAME;
    if (found.isSilent) return;
    if (found.delayMs) await sleep(found.delayMs);
    socket.send(writeReply(query.subarray(0, end), type, found), port, '127.0.0.1', () => {});
  }

  socket.on('message', (query, { port }) => void reply(query, port).catch(() => {}));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise((resolve) => void socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { name: string; type: DnsQuestion['type']; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = TYPES[query.readUInt16BE(at + 1)];
  if (!type) throw new Error('neither A nor AAAA');
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
}

/** Repeats header and question; each record refers to the name in the question, or to the CNAME. */
function writeReply(question: Buffer, type: DnsQuestion['type'], answer: DnsAnswer): Buffer {
  const { addresses = [], cname, code = 0 } = answer;
  const records = addresses
    .filter((address) => isIPv4(address) === (type === 'A'))
    .map((address) => ({ type, data: Buffer.from(ipaddr.parse(address).toByteArray()) }));
  const alias = cname === undefined ? [] : [record(0xc00c, 5, encodeName(cname))];
  const owner = cname === undefined ? 0xc00c : 0xc000 | (question.length + 12);
  const body = records.map((each) => record(owner, each.type === 'A' ? 1 : 28, each.data));
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(alias.length + body.length, 6);
  // No authority and no additional records.
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...alias, ...body]);
}

function record(name: number, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(name, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(label, 'latin1'));
  return Buffer.concat([
    ...labels.flatMap((each) => [Buffer.from([each.length]), each]),
    Buffer.from([0]),
  ]);
}
