import {
  deleteFile,
  eraseMessage,
  forgetMessage,
  leaveOrg,
  openDirect,
  openSession,
  post,
  readsFile,
  readsSession,
  setMember,
  setParticipants,
  setTaskFiles,
  share,
  upload,
  isIn,
  type File,
  type Member,
  type Message,
  type Project,
  type World,
} from './file-world.ts';

type People = [owner: Member, admin: Member, ann: Member, ben: Member, cleo?: Member];
const peopleOf = ({ people }: World) => people as People;

/**
 * What each part of the rule is there for. Whoever changes a part finds these different, whatever else is random. In
 * any order: each has its own files, and its own sessions if their people change.
 */
export const STORIES: Record<string, (world: World) => Promise<void>> = {
  async 'attached to nothing'(world) {
    const [owner, , ann] = peopleOf(world);
    const [open, closed] = world.projects;
    await upload(world, ann, open);
    await upload(world, owner, closed);
  },
  async 'in two private sessions'(world) {
    const [owner, , ann, ben] = peopleOf(world);
    const [open] = world.projects;
    const file = await upload(world, ann, open);
    for (const people of [
      [owner, ann],
      [owner, ann, ben],
    ]) {
      await post(world, ann, await openSession(world, open, people), [file]);
    }
  },
  async 'in a private session and in one for all, and then in the first alone'(world) {
    const [owner, , ann] = peopleOf(world);
    const [open] = world.projects;
    const [secret, main] = [
      await openSession(world, open, [owner, ann]),
      await openSession(world, open, null),
    ];
    const [kept, left] = [await upload(world, ann, open), await upload(world, ann, open)];
    await post(world, ann, secret, [kept, left]);
    await post(world, owner, main, [kept]);
    const message = await post(world, ann, main, [left]);
    await eraseMessage(world, ann, message as Message);
  },
  async 'the uploader and a reader are taken out of the session'(world) {
    const [owner, , ann, ben] = peopleOf(world);
    const [open] = world.projects;
    const session = await openSession(world, open, [owner, ann, ben]);
    await post(world, ann, session, [await upload(world, ann, open)]);
    await setParticipants(world, session, [owner]);
  },
  async 'its message is deleted'(world) {
    const [, , ann] = peopleOf(world);
    const [open] = world.projects;
    const main = await openSession(world, open, null);
    const message = await post(world, ann, main, [await upload(world, ann, open)]);
    await eraseMessage(world, ann, message as Message);
  },
  async 'its message is deleted by a process that knows no files'(world) {
    const [owner, , ann] = peopleOf(world);
    const [open] = world.projects;
    const [main, secret] = [
      await openSession(world, open, null),
      await openSession(world, open, [owner, ann]),
    ];
    for (const session of [main, secret]) {
      const [hidden, shared] = [await upload(world, ann, open), await upload(world, ann, open)];
      await share(world, ann, shared, true);
      const message = await post(world, ann, session, [hidden, shared]);
      await forgetMessage(world, message as Message);
    }
    const both = await upload(world, owner, open);
    await post(world, owner, secret, [both]);
    const shown = await post(world, ann, main, [both]);
    await forgetMessage(world, shown as Message);
  },
  async 'shared, and no longer shared'(world) {
    const [owner, , ann] = peopleOf(world);
    for (const project of world.projects.slice(0, 2)) {
      const [kept, ended] = [await upload(world, ann, project), await upload(world, ann, project)];
      await share(world, ann, kept, true);
      await share(world, owner, kept, true);
      await share(world, ann, ended, true);
      await share(world, ann, ended, false);
    }
  },
  async 'shared, and in a private session'(world) {
    const [owner, , ann] = peopleOf(world);
    const [open] = world.projects;
    const file = await upload(world, owner, open);
    await post(world, owner, await openSession(world, open, [owner, ann]), [file]);
    await share(world, owner, file, true);
  },
  async 'on a task, and taken off it'(world) {
    const [owner, , ann] = peopleOf(world);
    for (const project of world.projects.slice(0, 2)) {
      const [kept, off] = [await upload(world, ann, project), await upload(world, ann, project)];
      await setTaskFiles(world, ann, project, [kept, off]);
      await setTaskFiles(world, owner, project, [kept]);
    }
  },
  async 'in a direct conversation, and in one of three'(world) {
    const [, admin, ann, ben] = peopleOf(world);
    const [pair, three] = [
      await openDirect(world, ann, [ben]),
      await openDirect(world, ben, [ann, admin]),
    ];
    await post(world, ann, pair, [await upload(world, ann, pair.project)]);
    await post(world, admin, three, [await upload(world, admin, three.project)]);
    await upload(world, ben, pair.project);
  },
  async 'its uploader leaves the Project'(world) {
    const [owner, , , ben] = peopleOf(world);
    const [, closed] = world.projects;
    await setMember(world, closed, ben, true);
    const session = await openSession(world, closed, [owner, ben]);
    await upload(world, ben, closed);
    await post(world, ben, session, [await upload(world, ben, closed)]);
    await setMember(world, closed, ben, false);
  },
  async 'its uploader leaves the organisation'(world) {
    const cleo = world.people[4] as Member;
    const [open] = world.projects;
    const main = await openSession(world, open, null);
    await upload(world, cleo, open);
    await post(world, cleo, main, [await upload(world, cleo, open)]);
    await leaveOrg(world, cleo);
  },
};

export interface Step {
  kind: string;
  who: number;
  choices: [number, number, number];
}

const pick = <T>(from: readonly T[], choice: number): T => from[choice % from.length] as T;

/** Up to two different files: mostly ones that this person may attach in the Project, and sometimes any. */
function some(world: World, who: Member, project: Project, one: number, other: number): File[] {
  const isGood = (file: File) => file.project === project && readsFile(world, who, file);
  const files = one % 4 === 0 ? world.files : world.files.filter(isGood);
  return files.length === 0 ? [] : [...new Set([pick(files, one), pick(files, other)])];
}

type Random = (world: World, who: Member, ...choices: [number, number, number]) => Promise<unknown>;

/** Each also tries what is refused. */
const STEPS: Record<string, Random> = {
  async upload(world, who, at) {
    const project = pick(world.projects, at);
    if (project.id !== '' && isIn(who, project)) await upload(world, who, project);
  },
  post(world, who, at, one, other) {
    const session = pick(world.sessions, at);
    return post(world, who, session, some(world, who, session.project, one, other));
  },
  async erase(world, _who, at) {
    const message = pick(world.messages, at);
    if (!message || message.isForgotten) return;
    const eraser = world.people.find(
      (one) => (one === message.author || one.isManager) && readsSession(one, message.session),
    );
    if (eraser) await eraseMessage(world, eraser, message);
  },
  setTaskFiles(world, who, at, one, other) {
    const project = pick(world.projects.slice(0, 2), at);
    return setTaskFiles(world, who, project, some(world, who, project, one, other));
  },
  async share(world, who, at, isShared) {
    const file = pick(world.files, at);
    if (file) await share(world, who, file, isShared % 3 === 0);
  },
  async delete(world, who, at) {
    const file = pick(world.files, at);
    if (file) await deleteFile(world, who, file);
  },
  joinOrLeave(world, _who, at) {
    const [, closed] = world.projects;
    const person = pick(world.people.slice(2), at);
    return setMember(world, closed, person, !closed.members.has(person.userId));
  },
  async changeParticipants(world, _who, at, chosen) {
    const { people, sessions } = world;
    const own = sessions.filter(({ participants, isDirect }) => participants && !isDirect);
    const session = pick(own, at);
    if (!session || !readsSession(people[0] as Member, session)) return;
    const others = people.filter(
      (one, nth) => nth === 0 || (isIn(one, session.project) && chosen & (1 << nth)),
    );
    await setParticipants(world, session, others);
  },
};

const OFTEN = ['upload', 'post', 'post', 'changeParticipants', 'erase'];
export const KINDS = [...OFTEN, ...Object.keys(STEPS)];

export async function takeStep(world: World, { kind, who, choices }: Step): Promise<void> {
  await STEPS[kind]?.(world, pick(world.people, who), ...choices);
}
