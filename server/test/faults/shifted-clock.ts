/** Loaded before the server: its clock is off by this much. */
const offMs = Number(process.env['CLOCK_OFF_MS']);
const shiftedNow = () => now() + offMs;
const { now } = Date;

globalThis.Date = new Proxy(Date, {
  construct: (date, args, made) =>
    Reflect.construct(date, args.length === 0 ? [shiftedNow()] : args, made) as Date,
  get: (date, name) => (name === 'now' ? shiftedNow : (Reflect.get(date, name) as unknown)),
});
