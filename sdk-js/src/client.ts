import { Agents } from './namespaces/agents.ts';
import { Billing } from './namespaces/billing.ts';
import { Channels } from './namespaces/channels.ts';
import { Documents } from './namespaces/documents.ts';
import { Files } from './namespaces/files.ts';
import { Identity } from './namespaces/identity.ts';
import { Keys } from './namespaces/keys.ts';
import { Mcp } from './namespaces/mcp.ts';
import { Memory } from './namespaces/memory.ts';
import { Messages } from './namespaces/messages.ts';
import { Models } from './namespaces/models.ts';
import { Notifications } from './namespaces/notifications.ts';
import { Org } from './namespaces/org.ts';
import { Projects } from './namespaces/projects.ts';
import { Reminders } from './namespaces/reminders.ts';
import { Sessions } from './namespaces/sessions.ts';
import { Tasks } from './namespaces/tasks.ts';
import { readSettings, V2, type AtriumOptions } from './options.ts';
import { Transport } from './transport.ts';

let hasWarned = false;

/**
 * A client for the v2 API.
 *
 * ```ts
 * const client = new Atrium({ apiKey: 'atr_…', baseURL: 'http://127.0.0.1:3000/api' });
 * const project = await client.projects.create({ name: 'Pricing 2027' });
 * ```
 */
export class Atrium {
  readonly projects: Projects;
  readonly sessions: Sessions;
  readonly messages: Messages;
  readonly memory: Memory;
  readonly models: Models;
  readonly agents: Agents;
  readonly notifications: Notifications;
  readonly reminders: Reminders;
  readonly tasks: Tasks;
  readonly files: Files;
  readonly documents: Documents;
  readonly channels: Channels;
  readonly org: Org;
  readonly keys: Keys;
  readonly billing: Billing;
  readonly mcp: Mcp;
  readonly identity: Identity;

  constructor(options: AtriumOptions = {}) {
    const api = new Transport(readSettings(options, V2));
    this.projects = new Projects(api);
    this.sessions = new Sessions(api);
    this.messages = new Messages(api);
    this.memory = new Memory(api);
    this.models = new Models(api);
    this.agents = new Agents(api);
    this.notifications = new Notifications(api);
    this.reminders = new Reminders(api);
    this.tasks = new Tasks(api);
    this.files = new Files(api);
    this.documents = new Documents(api);
    this.channels = new Channels(api);
    this.org = new Org(api);
    this.keys = new Keys(api);
    this.billing = new Billing(api);
    this.mcp = new Mcp(api);
    this.identity = new Identity(api);
  }

  /** @deprecated Renamed in 0.3: use `client.projects`. */
  get spaces(): Projects {
    if (!hasWarned) {
      hasWarned = true;
      // oxlint-disable-next-line no-console -- deprecation warnings go to the developer's console
      console.warn(
        '@atrium/sdk: client.spaces is deprecated; use client.projects. See docs/migration-0.3.md.',
      );
    }
    return this.projects;
  }
}
