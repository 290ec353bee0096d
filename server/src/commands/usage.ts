/** The command line was used wrongly; the message says how. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export const USAGE = `Usage: npm run --silent atrium -- <command>

  serve [--no-worker] [--no-web]
                        serve the API, the docs and the web app, and do the background work, unless told not to
  worker                do the background work only
  migrate               bring the database up to date, then end
  build-web             build the web app if it is missing or stale, then end; serve does that too
  jobs dead             list the jobs that failed for good, one line of JSON each
  jobs retry --id N | --all
  memory status         how many memories the embedding model has read, and has yet to
  secrets reseal        move every sealed secret to the first key of SECRETS_KEY
  admin create-org  --name NAME --owner-email EMAIL
  admin create-user --org ID --email EMAIL --role OWNER|ADMIN|MEMBER
  admin create-key  --org ID --email EMAIL [--scopes a,b]
  admin sign-in-link --email EMAIL   a link that signs this person in, once and within 24 hours

The admin, jobs, memory and secrets commands print JSON. They work on DATABASE_URL, or on DATA_DIR while no server runs on it.
`;
