import { cx } from '../../../ui/text/cx.ts';
import { Cell, HeadCell, NUMBER, RowHead, Table } from '../../../ui/pages/table.tsx';
import type { UsageSummary } from './summarise.ts';

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** Stays in view while the numbers scroll. */
const FIRST = 'sticky left-0 bg-surface';

/** The chart's numbers, newest day first, without days that have no usage. */
export function UsageTable({ summary, caption }: { summary: UsageSummary; caption: string }) {
  const { series, days, total } = summary;
  return (
    <Table
      caption={caption}
      head={
        <>
          <HeadCell className={FIRST}>Day</HeadCell>
          {series.map(({ key, label }) => (
            <HeadCell key={key} dir="auto" className="max-w-40 min-w-20 text-right wrap-anywhere">
              {label}
            </HeadCell>
          ))}
          <HeadCell className={NUMBER}>Total</HeadCell>
        </>
      }
      foot={
        <tr>
          <RowHead className={cx(FIRST, 'font-semibold')}>All days</RowHead>
          {series.map((one) => (
            <Cell key={one.key} className={NUMBER}>
              {one.total.toLocaleString()}
            </Cell>
          ))}
          <Cell className={NUMBER}>{total.toLocaleString()}</Cell>
        </tr>
      }
    >
      {days
        .filter((day) => day.total > 0)
        .toReversed()
        .map((day) => (
          <tr key={day.day}>
            <RowHead className={cx(FIRST, 'whitespace-nowrap')}>
              <time dateTime={day.day}>{DAY.format(new Date(day.day))}</time>
            </RowHead>
            {day.values.map((value, place) => (
              <Cell key={series[place]?.key} className={NUMBER}>
                {value.toLocaleString()}
              </Cell>
            ))}
            <Cell className={`${NUMBER} font-medium`}>{day.total.toLocaleString()}</Cell>
          </tr>
        ))}
    </Table>
  );
}
