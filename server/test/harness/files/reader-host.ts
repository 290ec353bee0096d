import { readAll, startReader } from './reader.ts';

/** A server that reads the PDF in its argument, to be killed meanwhile. */
const path = process.argv[2] ?? '';
await readAll(startReader(), { path, name: 'slow.pdf', mediaType: 'application/pdf' });
