import { useEffect, useId, useRef, useState } from 'react';
import { Fills, fillOf } from './fills.tsx';
import { roundUp, type DayOfUse, type UsageSummary } from './summarise.ts';

const HEIGHT = 220;
const BOTTOM = 24;
const LEFT = 48;
const TOP = 10;

interface ChartProps {
  summary: UsageSummary;
  /** What is counted, such as "credits". */
  unit: string;
}

/** Stacked bars, one per day. Screen readers get an image, and the numbers from the table below. */
export function UsageChart({ summary, unit }: ChartProps) {
  const id = useId();
  const [ref, width] = useWidth();
  const [pointed, setPointed] = useState<DayOfUse>();
  const top = roundUp(Math.max(...summary.days.map(({ total }) => total)));
  const step = (width - LEFT) / summary.days.length;
  const heightOf = (value: number) => (value / top) * (HEIGHT - BOTTOM - TOP);
  return (
    <div className="flex flex-col gap-3">
      <Legend summary={summary} id={id} />
      <div ref={ref}>
        <svg
          role="img"
          aria-label={`Bar chart of ${unit} by day, ${summary.total.toLocaleString()} in total. The table below has the same numbers.`}
          width={width}
          height={HEIGHT}
          className="block max-w-full text-muted"
          onPointerLeave={() => setPointed(undefined)}
        >
          <Fills id={id} />
          <Axis top={top} width={width} yOf={(value) => HEIGHT - BOTTOM - heightOf(value)} />
          {summary.days.map((day, at) => (
            <g
              key={day.day}
              onPointerEnter={() => setPointed(day)}
              onPointerDown={() => setPointed(day)}
            >
              <rect
                x={LEFT + at * step}
                y={TOP}
                width={step}
                height={HEIGHT - BOTTOM - TOP}
                className={day === pointed ? 'fill-hover' : 'fill-transparent'}
              />
              <Bar
                day={day}
                id={id}
                x={LEFT + (at + 0.15) * step}
                width={step * 0.7}
                heightOf={heightOf}
              />
            </g>
          ))}
          <DayLabels days={summary.days} step={step} width={width} />
        </svg>
      </div>
      <p aria-hidden className="min-h-10 text-note text-muted wrap-anywhere sm:min-h-5">
        {pointed
          ? describe(pointed, summary, unit)
          : 'Point at a day for details. Days are in UTC.'}
      </p>
    </div>
  );
}

interface BarProps {
  day: DayOfUse;
  id: string;
  x: number;
  width: number;
  heightOf: (value: number) => number;
}

function Bar({ day, id, x, width, heightOf }: BarProps) {
  let below = HEIGHT - BOTTOM;
  return day.values.map((value, place) => {
    const height = heightOf(value);
    below -= height;
    if (value === 0) return null;
    return (
      <rect
        // The index identifies the series: it is the same in every bar.
        key={place}
        x={x}
        y={below}
        width={Math.max(1, width)}
        height={height}
        fill={fillOf(id, place)}
        className="stroke-surface"
        strokeWidth={height > 3 && width > 4 ? 1 : 0}
      />
    );
  });
}

function Axis({ top, width, yOf }: { top: number; width: number; yOf: (value: number) => number }) {
  return [0, top / 2, top].map((value) => (
    <g key={value}>
      <line x1={LEFT} x2={width} y1={yOf(value)} y2={yOf(value)} className="stroke-line" />
      <text x={LEFT - 6} y={yOf(value) + 4} textAnchor="end" className="fill-current text-[11px]">
        {SHORT.format(value)}
      </text>
    </g>
  ));
}

const SHORT = new Intl.NumberFormat(undefined, { notation: 'compact' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const LABEL_WIDTH = 70;

function DayLabels({ days, step, width }: { days: DayOfUse[]; step: number; width: number }) {
  const every = Math.max(1, Math.ceil(days.length / Math.max(1, (width - LEFT) / LABEL_WIDTH)));
  return days.map(({ day }, at) =>
    // Counted from today, so that the newest day always has its label.
    (days.length - 1 - at) % every === 0 ? (
      <text
        key={day}
        x={at === days.length - 1 ? width : LEFT + (at + 0.5) * step}
        y={HEIGHT - 6}
        textAnchor={at === days.length - 1 ? 'end' : 'middle'}
        className="fill-current text-[11px]"
      >
        {DAY.format(new Date(day))}
      </text>
    ) : null,
  );
}

function Legend({ summary, id }: { summary: UsageSummary; id: string }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-note">
      {summary.series.map(({ key, label, total }, place) => (
        <li key={key} className="flex min-w-0 items-center gap-1.5">
          <svg aria-hidden width="16" height="16" className="shrink-0 rounded-xs">
            <rect width="16" height="16" fill={fillOf(id, place)} />
          </svg>
          <bdi className="wrap-anywhere">{label}</bdi>
          <span className="text-muted tabular-nums">{total.toLocaleString()}</span>
        </li>
      ))}
    </ul>
  );
}

function describe(
  { day, values, total }: DayOfUse,
  { series }: UsageSummary,
  unit: string,
): string {
  const parts = series.flatMap(({ label }, place) =>
    values[place] ? [`${label} ${values[place].toLocaleString()}`] : [],
  );
  const date = DAY.format(new Date(day));
  return parts.length === 0
    ? `${date}: none`
    : `${date}: ${total.toLocaleString()} ${unit} (${parts.join(', ')})`;
}

function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, Math.max(200, width)] as const;
}
