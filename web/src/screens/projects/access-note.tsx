import type { Project } from '@atrium/sdk';
import { Building2, Lock } from 'lucide-react';

export function AccessNote({ access }: { access: Project['access'] }) {
  const Icon = access === 'ORG' ? Building2 : Lock;
  return (
    <span className="inline-flex items-center gap-1.5 text-note">
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {access === 'ORG' ? 'Everyone in the organisation' : 'Added people only'}
    </span>
  );
}
