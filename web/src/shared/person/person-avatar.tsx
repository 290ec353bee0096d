import type { ComponentProps } from 'react';
import { usePeople } from '../../data/queries.ts';
import { Avatar } from '../../ui/marks/avatar.tsx';

interface PersonAvatarProps extends Pick<ComponentProps<typeof Avatar>, 'name' | 'size'> {
  /** Null for somebody who is not a member. */
  userId: string | null;
}

/** The avatar of a member, with their photo if they have one. */
export function PersonAvatar({ userId, name, size = 'medium' }: PersonAvatarProps) {
  const person = usePeople();
  const photo = userId === null ? null : person(userId).photo;
  return <Avatar {...{ name, photo, size }} seed={userId ?? name} />;
}
