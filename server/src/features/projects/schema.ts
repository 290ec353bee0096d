import { z } from 'zod';
import { BROADCAST_RULES } from '../../access/broadcasts.ts';
import { ROLES } from '../../core/context.ts';
import {
  agentSlug,
  clearable,
  description,
  handle,
  listOf,
  name,
  optional,
  pageOf,
  pageQuery,
  pathId,
  recordId,
  tags,
  timestamp,
} from '../../core/fields.ts';

const Access = z.enum(['ORG', 'MEMBERS']).meta({
  description:
    'ORG: every member of the organisation belongs to the Project. MEMBERS: only its creator, OWNERs, ADMINs and the people added to it.',
});

const Broadcasts = z.enum(BROADCAST_RULES).meta({
  description:
    "Who may tell everybody with @here and @everyone. EVERYONE: every member of the Project. ADMINS: OWNERs, ADMINs and the Project's creator.",
});

export const Project = z
  .object({
    id: recordId(),
    slug: z
      .string()
      .meta({ description: 'Identifies the Project in `/spaces/{slug}` paths. It never changes.' }),
    name: z.string(),
    description: z.string().nullable(),
    tags: z.array(z.string()),
    access: Access,
    defaultAgent: z.string().nullable().meta({
      description: 'Who answers `@model`, unless the session sets its own.',
    }),
    broadcasts: Broadcasts,
    createdById: recordId(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    archivedAt: timestamp().nullable(),
  })
  .meta({ id: 'Project' });

export const ProjectPage = pageOf(Project).meta({ id: 'ProjectPage' });
export const ListProjects = pageQuery().extend({
  slug: z.string().optional().meta({ description: 'Only the Project with this slug.' }),
});

export const CreateProject = z
  .strictObject({
    name: name(),
    description: optional(description()),
    tags: optional(tags()),
    access: optional(Access).meta({ description: 'Default: ORG.' }),
    broadcasts: optional(Broadcasts).meta({ description: 'Default: EVERYONE.' }),
  })
  .meta({ id: 'CreateProject' });

export const UpdateProject = z
  .strictObject({
    name: optional(name()).meta({ description: 'Renaming does not change the slug.' }),
    description: clearable(description()),
    tags: clearable(tags()),
    access: optional(Access),
    defaultAgent: clearable(agentSlug()),
    broadcasts: optional(Broadcasts),
  })
  .meta({ id: 'UpdateProject' });

export const ProjectMember = z
  .object({
    userId: recordId(),
    email: z.string(),
    name: z.string(),
    handle: handle(),
    role: z.enum(ROLES),
    addedAt: timestamp().nullable().meta({
      description: 'Null for people who belong to the Project without having been added.',
    }),
  })
  .meta({ id: 'ProjectMember' });

export const ProjectMemberList = listOf(ProjectMember).meta({ id: 'ProjectMemberList' });

export const ProjectPath = z.object({ projectId: pathId('Project') });
export const ProjectMemberPath = ProjectPath.extend({ userId: pathId('user') });

export type CreateProject = z.output<typeof CreateProject>;
export type UpdateProject = z.output<typeof UpdateProject>;
