import {
  defaultRangeExtractor,
  useVirtualizer,
  type Range,
  type Virtualizer,
} from '@tanstack/react-virtual';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useAfterPaint } from '../../../ui/pages/use-after-paint.ts';
import { useIsPrinting } from '../../../ui/pages/use-printing.ts';
import type { MessageListProps } from './list-props.ts';
import { estimateHeight } from './rows.ts';

/** Within this distance, the list counts as at the end, and new messages scroll it along. */
const AT_END_PX = 60;
/** Beyond this distance from the end, a button to jump back is shown. */
const AWAY_PX = 300;
/** How many rows before either end more messages are loaded. */
const LOAD_AHEAD = 20;
const HIGHLIGHT_MS = 3_000;

interface ScrollProps extends MessageListProps {
  scroller: RefObject<HTMLDivElement | null>;
  /** The list, with what scrolls around it. */
  inner: RefObject<HTMLDivElement | null>;
  /** There is more than the list in what scrolls, above it. Readers start there. */
  isAround: boolean;
  hasOlderNotes: boolean;
  /** Rows that stay on the page wherever the list is scrolled: those with focus or an open editor. */
  keptIds: readonly (string | null)[];
}

export function useMessageScroll(props: ScrollProps) {
  const { scroller, rows, state, store, target, keptIds, isAround } = props;
  const indexes = useMemo(() => new Map(rows.map(({ key }, index) => [key, index])), [rows]);
  const kept = keptIds.flatMap((id) => (id === null ? [] : (indexes.get(id) ?? []))).join();
  const isPrinting = useIsPrinting();
  const margin = useMargin(props);
  // Whoever reads what is above the list stays there, however much is loaded below.
  const [isFollowing, setFollowing] = useState(!isAround);
  const [start] = useState(() => findStart(props));
  const isShown = useAfterPaint();
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const row = rows[index];
      return row ? estimateHeight(row) : 0;
    },
    // A finished reply keeps the place in which it was written, so that nothing moves.
    getItemKey: useCallback((index: number) => rows[index]?.place ?? index, [rows]),
    rangeExtractor: useCallback(
      (range: Range) => (isPrinting ? listAll(range) : keepInPage(range, kept)),
      [isPrinting, kept],
    ),
    ...start,
    overscan: isShown ? 10 : 2,
    paddingStart: roomAbove(props),
    scrollMargin: margin,
    paddingEnd: state.hasNewer ? 48 : 12,
    anchorTo: isFollowing ? 'end' : 'start',
    scrollEndThreshold: AT_END_PX,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
  });
  const goTo = useGoTo(virtualizer, indexes, margin);
  const toEnd = useCallback(() => {
    // Or a message that comes soon after would scroll back to where the list was opened.
    goTo.stop();
    virtualizer.scrollToEnd();
  }, [virtualizer, goTo]);
  const follow = useCallback(() => setFollowing(true), []);
  const end = useEnd({ ...props, isFollowing, follow }, toEnd, goTo);
  const highlightedId = useTarget(props, goTo);

  const { startAt, onSeen } = props;
  useLayoutEffect(() => {
    if (isAround || (target && indexes.has(target.id))) return;
    if (startAt && indexes.has(startAt)) goTo(startAt, 'center');
    else virtualizer.scrollToEnd();
    // Only on mount. Later the list stays where the reader is.
    // eslint-disable-next-line react/exhaustive-deps
  }, []);

  const { range } = virtualizer;
  useEffect(() => {
    // No range means an empty list. Everything loaded may be replies, which aren't shown here.
    const { startIndex, endIndex } = range ?? { startIndex: 0, endIndex: 0 };
    const wantsOlder = !isAround && startIndex < LOAD_AHEAD;
    if (wantsOlder && state.olderError === undefined) void store.loadOlder();
    if (endIndex > rows.length - LOAD_AHEAD && state.newerError === undefined) {
      void store.loadNewer();
    }
    store.refreshIfStale(
      rows
        .slice(startIndex, endIndex + 1)
        .flatMap((row) => (row.kind === 'message' ? [row.key] : [])),
    );
  }, [range, rows, state, store, isAround]);

  const lastVisible = rows.findLast(
    (row, at) => row.kind === 'message' && at <= (range?.endIndex ?? 0),
  );
  const isSeen = !isAround || reachesDownTo(scroller.current, margin);
  const seenId = range && isSeen ? (lastVisible?.key ?? null) : null;
  const isNewest = !state.hasNewer && isSeen && (range?.endIndex ?? 0) >= rows.length - 1;
  useEffect(() => onSeen({ messageId: seenId, isNewest }), [onSeen, seenId, isNewest]);
  return {
    ...end,
    items: virtualizer.getVirtualItems(),
    measure: virtualizer.measureElement,
    containerRef: virtualizer.containerRef,
    highlightedId,
    lastVisibleId: lastVisible?.key ?? null,
    firstVisible: rows[range?.startIndex ?? 0],
    toEnd,
    reveal: (id: string) => goTo(id, 'auto'),
    onWheel: goTo.stop,
  };
}

/**
 * Where the list will be, as far as heights can be guessed. Otherwise its first messages would be drawn before those
 * that the reader is taken to.
 */
function findStart(props: ScrollProps) {
  const { rows, target, startAt, isAround } = props;
  if (isAround) return {};
  const indexOf = (id: string | null | undefined) => rows.findIndex(({ key }) => key === id);
  const at = [indexOf(target?.id), indexOf(startAt)].find((index) => index !== -1);
  const above = rows.slice(0, at).reduce((sum, row) => sum + estimateHeight(row), roomAbove(props));
  // Rather too low: what is in view counts as read.
  const height = innerHeight * 0.6;
  const initialOffset = Math.max(0, above - (at === undefined ? height : height / 2));
  return { initialOffset, initialRect: { width: innerWidth, height } };
}

/** For the start of the list or the loading indicator. A thread starts with its message. */
function roomAbove({ isAround, isInThread, state, hasOlderNotes }: ScrollProps): number {
  if (isAround) return state.hasOlder || hasOlderNotes ? 44 : 4;
  return isInThread && !state.hasOlder ? 4 : 56;
}

/** How far below the start of what scrolls the list begins. */
function useMargin({ isAround, scroller, inner }: ScrollProps): number {
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const [outside, list] = [scroller.current, inner.current];
    if (!isAround || !outside || !list) return undefined;
    const measure = () => {
      const distance = list.getBoundingClientRect().top - outside.getBoundingClientRect().top;
      setMargin(Math.round(distance + outside.scrollTop));
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (outside.firstElementChild) observer.observe(outside.firstElementChild);
    return () => observer.disconnect();
  }, [isAround, scroller, inner]);
  return margin;
}

/** A line of the list has to be in view. */
function reachesDownTo(scroller: HTMLElement | null, margin: number): boolean {
  return scroller !== null && scroller.scrollTop + scroller.clientHeight > margin + 40;
}

interface EndProps extends ScrollProps {
  isFollowing: boolean;
  /** The reader has left the start of what scrolls. */
  follow: () => void;
}

/** The distance to the end, and what arrived below the viewport meanwhile. */
function useEnd(props: EndProps, toEnd: () => void, goTo: GoTo) {
  const { scroller, rows, state, isAround, isFollowing, follow } = props;
  const { profile } = useWorkspace();
  const [isAtEnd, setAtEnd] = useState(true);
  const [isAway, setAway] = useState(false);
  const [seenKey, setSeenKey] = useState(() => (isAround && rows.at(-1)?.key) || null);
  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    setAtEnd(left <= AT_END_PX);
    setAway(left > AWAY_PX);
    if (element.scrollTop > 0) follow();
  }, [scroller, follow]);
  // Readers at the end follow new messages. The virtual list's own way looks at the last row, which stays
  // the same while an agent answers. After a window that ended early, readers continue from where they are.
  const followAsBefore = useRef(() => {});
  useLayoutEffect(() => followAsBefore.current(), [rows]);
  useEffect(() => {
    followAsBefore.current = () => {
      const isThere = isAtEnd && isFollowing && !state.hasNewer;
      if (isThere && !goTo.isHolding()) toEnd();
    };
  });
  useEffect(onScroll, [onScroll, rows]);

  const isAtBottom = isAtEnd && !state.hasNewer;
  const lastKey = rows.at(-1)?.key ?? null;
  useEffect(() => {
    if (isAtBottom) setSeenKey(lastKey);
  }, [isAtBottom, lastKey]);

  // The person's own new message is always shown.
  const sending = rows.filter(({ kind }) => kind === 'outgoing').length;
  const sent = useRef(sending);
  useEffect(() => {
    if (sending > sent.current) {
      follow();
      toEnd();
    }
    sent.current = sending;
  }, [sending, toEnd, follow]);

  const unseen = useMemo(() => {
    if (isAtBottom || seenKey === null) return 0;
    const at = rows.findIndex(({ key }) => key === seenKey);
    const below = at === -1 ? [] : rows.slice(at + 1);
    return below.filter(
      (row) => row.kind === 'message' && row.message.authorUserId !== profile.userId,
    ).length;
  }, [isAtBottom, seenKey, rows, profile.userId]);
  return { onScroll, isAwayFromEnd: isAway || state.hasNewer || unseen > 0, unseen };
}

type GoTo = ReturnType<typeof useGoTo>;
/** How long a jump target is scrolled to again when older messages load above it. */
const HOLDS_MS = 1_500;

/** Scrolls to a message by its id, because the virtual list's indexes change when pages load. */
function useGoTo(
  virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>,
  indexes: ReadonlyMap<string, number>,
  margin: number,
) {
  const going = useRef<{ id: string; align: 'auto' | 'center'; until: number }>(undefined);
  const goOn = useCallback(() => {
    const { id, align, until } = going.current ?? { id: '', align: 'auto' as const, until: 0 };
    const index = indexes.get(id);
    if (index === undefined || performance.now() > until) return;
    virtualizer.scrollToIndex(index, { align });
    // What is above the list may still be loading, and moves it.
    // eslint-disable-next-line react/exhaustive-deps
  }, [virtualizer, indexes, margin]);
  useLayoutEffect(goOn, [goOn]);
  return useMemo(
    () =>
      Object.assign(
        (id: string, align: 'auto' | 'center') => {
          going.current = { id, align, until: performance.now() + HOLDS_MS };
          goOn();
        },
        {
          isHolding: () => performance.now() <= (going.current?.until ?? 0),
          /** The reader scrolled, so stop. */
          stop: () => {
            going.current = undefined;
          },
        },
      ),
    [goOn],
  );
}

/** Scrolls to the linked message once it is in the list and highlights it briefly. */
function useTarget({ target, rows }: ScrollProps, goTo: GoTo): string | null {
  const [highlightedId, setHighlightedId] = useState<string | null>(null);
  const reached = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (!target || reached.current === target.nth) return;
    if (!rows.some(({ key }) => key === target.id)) return;
    reached.current = target.nth;
    goTo(target.id, 'center');
    setHighlightedId(target.id);
  }, [target, rows, goTo]);
  useEffect(() => {
    if (highlightedId === null) return undefined;
    const timer = setTimeout(() => setHighlightedId(null), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [highlightedId]);
  return highlightedId;
}

function listAll({ count }: Range): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function keepInPage(range: Range, kept: string): number[] {
  const indexes = defaultRangeExtractor(range);
  if (kept === '') return indexes;
  const all = new Set([...indexes, ...kept.split(',').map(Number)]);
  return [...all].toSorted((left, right) => left - right);
}
