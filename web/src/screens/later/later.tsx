import { useSearch } from '@tanstack/react-router';
import { TabLink, TabLinks } from '../../ui/controls/tab-links.tsx';
import { PageHeader } from '../../ui/pages/page.tsx';
import { Reminders } from './reminders.tsx';
import { Saved } from './saved.tsx';
import { Scheduled } from './scheduled.tsx';
import { PAGE } from '../../ui/pages/page-edge.ts';

/** The lists differ in nothing but what is behind the `?`. */
const EXACT = { exact: true, includeSearch: true };

/** What a person keeps for themselves: saved messages, reminders, and messages that are sent later. */
export function LaterScreen() {
  const { show = 'saved' } = useSearch({ from: '/workspace/later' });
  return (
    <div className={PAGE}>
      <PageHeader title="Later">
        Messages you saved, what you want to be reminded of, and what you send later. Only you see
        them.
      </PageHeader>
      <TabLinks label="Lists">
        <TabLink to="/later" activeOptions={EXACT}>
          Saved
        </TabLink>
        <TabLink to="/later" search={{ show: 'reminders' }} activeOptions={EXACT}>
          Reminders
        </TabLink>
        <TabLink to="/later" search={{ show: 'scheduled' }} activeOptions={EXACT}>
          Scheduled
        </TabLink>
      </TabLinks>
      {show === 'saved' && <Saved />}
      {show === 'reminders' && <Reminders />}
      {show === 'scheduled' && <Scheduled />}
    </div>
  );
}
