/**
 * The part of ONNX's protobuf format (onnx.proto3) that a transformer needs; see ADR 27. The parameter
 * `field` is a field number of that file.
 */
export type ElementType = 'float32' | 'float16' | 'int32' | 'int64';

export type Attribute = { int: number } | { float: number };

export interface Node {
  op: string;
  inputs: string[];
  outputs: string[];
  attributes?: Record<string, Attribute>;
  /** Default: ONNX's standard operators. */
  domain?: string;
}

export interface Initializer {
  name: string;
  shape: number[];
  type: ElementType;
  data: Uint8Array;
}

export interface Port {
  name: string;
  type: ElementType;
  /** A name stands for a variable length. */
  shape: (number | string)[];
}

export interface Graph {
  nodes: Node[];
  initializers: Initializer[];
  inputs: Port[];
  outputs: Port[];
}

export function writeModel(graph: Graph, domains: Record<string, number>): Uint8Array<ArrayBuffer> {
  const parts: Part[] = [
    number(1, IR_VERSION),
    message(7, graphParts(graph)),
    ...Object.entries(domains).map(([domain, version]) =>
      message(8, [text(1, domain), number(2, version)]),
    ),
  ];
  const model = new Uint8Array(lengthOf(parts));
  copyInto(model, parts, 0);
  return model;
}

const IR_VERSION = 8;
const DATA_TYPES: Record<ElementType, number> = { float32: 1, int32: 6, int64: 7, float16: 10 };
const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;

/** Nested, so that large weights are copied only once, into the finished model. */
type Part = Uint8Array | Part[];

function graphParts({ nodes, initializers, inputs, outputs }: Graph): Part[] {
  return [
    ...nodes.map((node) => message(1, nodeParts(node))),
    text(2, 'encoder'),
    ...initializers.map((each) => message(5, initializerParts(each))),
    ...inputs.map((port) => message(11, portParts(port))),
    ...outputs.map((port) => message(12, portParts(port))),
  ];
}

function nodeParts({ op, inputs, outputs, attributes = {}, domain = '' }: Node): Part[] {
  return [
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => message(5, attributeParts(name, value))),
    text(7, domain),
  ];
}

function attributeParts(name: string, value: Attribute): Part[] {
  if ('int' in value) return [text(1, name), number(3, value.int), number(20, ATTRIBUTE_INT)];
  return [text(1, name), float(2, value.float), number(20, ATTRIBUTE_FLOAT)];
}

function initializerParts({ name, shape, type, data }: Initializer): Part[] {
  return [
    ...shape.map((length) => number(1, length)),
    number(2, DATA_TYPES[type]),
    text(8, name),
    message(9, [data]),
  ];
}

function portParts({ name, type, shape }: Port): Part[] {
  const lengths = shape.map((length) =>
    message(1, [typeof length === 'string' ? text(2, length) : number(1, length)]),
  );
  const tensorType = [number(1, DATA_TYPES[type]), message(2, lengths)];
  return [text(1, name), message(2, [message(1, tensorType)])];
}

function number(field: number, value: number): Part {
  return [tag(field, 0), varint(BigInt.asUintN(64, BigInt(value)))];
}

function float(field: number, value: number): Part {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return [tag(field, 5), bytes];
}

function text(field: number, value: string): Part {
  return message(field, [new TextEncoder().encode(value)]);
}

function message(field: number, parts: Part[]): Part {
  return [tag(field, 2), varint(BigInt(lengthOf(parts))), parts];
}

function tag(field: number, wireType: number): Uint8Array {
  return varint(BigInt((field << 3) | wireType));
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

function lengthOf(part: Part): number {
  if (part instanceof Uint8Array) return part.length;
  return part.reduce((sum, each) => sum + lengthOf(each), 0);
}

function copyInto(target: Uint8Array, part: Part, from: number): number {
  if (part instanceof Uint8Array) {
    target.set(part, from);
    return from + part.length;
  }
  return part.reduce((at, each) => copyInto(target, each, at), from);
}
