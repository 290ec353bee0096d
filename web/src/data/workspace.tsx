import { Atrium } from '@atrium/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { webApi, type OrgMembership, type Profile } from './web-api.ts';

/** What every signed-in screen has: the person, their org and a client for the API. */
export interface Workspace {
  profile: Profile;
  org: OrgMembership;
  /** Acts in `org`. Each org has its own client. */
  client: Atrium;
  /** OWNERs and ADMINs. */
  isAdmin: boolean;
  switchOrg: (orgId: string) => void;
}

const WorkspaceContext = createContext<Workspace | undefined>(undefined);

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error('useWorkspace needs a signed-in screen around it');
  return workspace;
}

/** Whose things this browser stores. Several people may share it, each in several orgs. */
export function useOwner(): string {
  const { profile, org } = useWorkspace();
  return `${profile.userId}.${org.id}`;
}

export const PROFILE_KEY = ['profile'] as const;

/** Null if nobody is signed in. */
export function useProfile() {
  return useQuery({
    queryKey: PROFILE_KEY,
    queryFn: () => webApi.signedIn(),
    staleTime: 60_000,
  });
}

/** Each tab keeps its own org. A new tab starts with the one used last. */
const TAB_ORG = 'atrium.org';

interface ProviderProps extends Pick<Workspace, 'profile'> {
  children: ReactNode;
}

export function WorkspaceProvider({ profile, children }: ProviderProps) {
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState(readChosenOrg);
  const org = findOrg(profile, chosen);
  const workspace = useMemo<Workspace | undefined>(
    () =>
      org && {
        profile,
        org,
        client: new Atrium({ auth: 'cookie', org: org.id }),
        isAdmin: org.role !== 'MEMBER',
        switchOrg(orgId) {
          sessionStorage.setItem(TAB_ORG, orgId);
          setChosen(orgId);
          // Screens may be reading from the new one already: a query taken from under them never ends.
          const kept = new Set<unknown>([PROFILE_KEY[0], orgId]);
          queryClient.removeQueries({ predicate: ({ queryKey }) => !kept.has(queryKey[0]) });
        },
      },
    // The cache keeps the profile object as long as its content is equal, and so the client stays too.
    [profile, org, queryClient],
  );
  if (!workspace) return null;
  return <WorkspaceContext.Provider value={workspace}>{children}</WorkspaceContext.Provider>;
}

function findOrg(profile: Profile, chosen: string | null): OrgMembership | undefined {
  const byId = (id: string | null) => profile.orgs.find((org) => org.id === id);
  return byId(chosen) ?? byId(profile.lastOrgId) ?? profile.orgs[0];
}

/** A shared link names its org as `?org=`, which applies to this tab. */
function readChosenOrg(): string | null {
  const named = new URLSearchParams(location.search).get('org');
  if (named) sessionStorage.setItem(TAB_ORG, named);
  return sessionStorage.getItem(TAB_ORG);
}
