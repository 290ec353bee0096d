import type { Member } from '@atrium/sdk';
import { useMemo, useState } from 'react';
import { useMembers } from '../../../data/queries.ts';
import type { Role } from '../../../data/web-api.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { ROLE_MEANINGS, ROLE_NAMES } from '../../../shared/roles.ts';
import { MemberRow } from './member-row.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { rightsOver } from './rights.ts';

/** With more members than this, there is a search box. */
const MANY = 10;

export function MemberList() {
  const { profile, org } = useWorkspace();
  const query = useMembers();
  const members = query.data;
  const [filter, setFilter] = useState('');
  const [leaving, setLeaving] = useState<Member>();
  const shown = useMemo(() => (members ? filterMembers(members, filter) : []), [members, filter]);
  const owners = members?.filter(({ role }) => role === 'OWNER').length ?? 0;
  const me = { userId: profile.userId, role: org.role };
  return (
    <Card
      title={
        members ? `${members.length} ${members.length === 1 ? 'member' : 'members'}` : 'Members'
      }
    >
      <RoleMeanings />
      {members && members.length > MANY && (
        <TextField
          label="Find a member"
          type="search"
          dir="auto"
          placeholder="Name, email or role"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      )}
      <Loading of={query} rows={3} label="Loading members…" />
      {members && filter !== '' && (
        <p role="status" className="text-note text-muted">
          {shown.length === 0
            ? `No members match “${filter.slice(0, 60)}”.`
            : `${shown.length} found`}
        </p>
      )}
      <ul className="flex flex-col divide-y divide-line">
        {shown.map((member) => (
          <MemberRow
            key={member.userId}
            member={member}
            isSelf={member.userId === me.userId}
            rights={rightsOver(member, me, owners)}
            onRemove={() => setLeaving(member)}
          />
        ))}
      </ul>
      {leaving && <RemoveDialog member={leaving} onClose={() => setLeaving(undefined)} />}
    </Card>
  );
}

function filterMembers(members: Member[], filter: string): Member[] {
  const wanted = filter.trim().toLocaleLowerCase();
  return members.filter(({ name, email, role }) =>
    `${name}\n${email}\n${role}`.toLocaleLowerCase().includes(wanted),
  );
}

function RoleMeanings() {
  return (
    <details className="text-sm">
      <summary className="inline-flex min-h-6 items-center text-muted underline decoration-dotted underline-offset-4">
        What the roles mean
      </summary>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-md bg-hover px-3 py-2 text-note">
        {Object.entries(ROLE_MEANINGS).map(([role, meaning]) => (
          <div key={role} className="contents">
            <dt className="font-medium">{ROLE_NAMES[role as Role]}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
