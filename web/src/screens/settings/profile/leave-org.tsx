import { useId, useState } from 'react';
import { useMembers } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Card, RoleNote } from '../../../ui/pages/page.tsx';
import { RemoveDialog } from '../members/remove-dialog.tsx';

export function LeaveOrg() {
  const { profile, org } = useWorkspace();
  const { data: members } = useMembers();
  const [isLeaving, setLeaving] = useState(false);
  const id = useId();
  const owners = members?.filter(({ role }) => role === 'OWNER').length;
  const isLastOwner = org.role === 'OWNER' && owners === 1;
  return (
    <Card
      title={`Leave ${org.name}`}
      description="Your API keys here are revoked, and your private memories are erased after 30 days unless you come back."
    >
      {isLastOwner && (
        <div id={id}>
          <RoleNote>
            You are the last owner, so you can’t leave. Make someone else an owner under Members
            first.
          </RoleNote>
        </div>
      )}
      <div>
        <Button
          disabled={isLastOwner}
          aria-describedby={isLastOwner ? id : undefined}
          onClick={() => setLeaving(true)}
        >
          Leave organisation
        </Button>
      </div>
      {isLeaving && (
        <RemoveDialog
          member={{ userId: profile.userId, name: profile.name }}
          onClose={() => setLeaving(false)}
        />
      )}
    </Card>
  );
}
