import type { KeyFamily } from './families.ts';

interface Access {
  secret: string;
  scopes: string[];
  /** The origin and `/api`. */
  baseURL: string;
}

/** Code that runs as it is, and does only what this key is allowed to do. */
export function snippetsFor(family: KeyFamily, access: Access) {
  const [curl, typescript, python] = family === 'v2' ? v2Code(access) : v1Code(access);
  return [
    { name: 'curl', code: curl },
    { name: 'TypeScript', install: 'npm install @atrium/sdk', code: typescript },
    { name: 'Python', install: 'pip install atrium-sdk', code: python },
  ];
}

type Code = [curl: string, typescript: string, python: string];

/** Any key may call `/me`. The second call is the first thing its scopes allow. */
function v2Code({ secret, scopes, baseURL }: Access): Code {
  let [curlMore, scriptMore, pythonMore]: Code = ['', '', ''];
  if (scopes.includes('projects:read')) {
    curlMore = `\n\ncurl '${baseURL}/projects' \\\n  -H 'Authorization: Bearer ${secret}'`;
    scriptMore = `\n\nfor await (const project of client.projects.list()) {\n  console.log(project.slug, project.name);\n}`;
    pythonMore = `\n\nfor project in client.projects.list():\n    print(project.slug, project.name)`;
  } else if (scopes.includes('memory:read')) {
    curlMore = `\n\n${curlSearch(`${baseURL}/memory/search`, secret)}`;
    scriptMore = `\n\n${scriptSearch('client.memory')}`;
    pythonMore = `\n\n${pythonSearch('client.memory')}`;
  }
  return [
    `curl '${baseURL}/me' \\\n  -H 'Authorization: Bearer ${secret}'${curlMore}\n`,
    `import { Atrium } from '@atrium/sdk';

const client = new Atrium({
  apiKey: '${secret}',
  baseURL: '${baseURL}',
});

const me = await client.identity.me();
console.log(me.email, me.role, me.org.name);${scriptMore}
`,
    `from atrium import Atrium

client = Atrium(
    api_key="${secret}",
    base_url="${baseURL}",
)

me = client.identity.me()
print(me.email, me.role, me.org.name)${pythonMore}
`,
  ];
}

function v1Code({ secret, scopes, baseURL }: Access): Code {
  const searches = scopes.includes('memory:read');
  const fact = 'Deployments go out on Thursdays.';
  return [
    searches
      ? `${curlSearch(`${baseURL}/v1/memories/search`, secret)}\n`
      : `curl '${baseURL}/v1/memories' \\
  -H 'Authorization: Bearer ${secret}' \\
  -H 'Content-Type: application/json' \\
  -d '{"content": "${fact}", "visibility": "ORG"}'
`,
    `import { AtriumMemory } from '@atrium/sdk';

const memory = new AtriumMemory({
  apiKey: '${secret}',
  baseURL: '${baseURL}',
});

${searches ? scriptSearch('memory.memories') : `await memory.memories.create({ content: '${fact}', visibility: 'ORG' });`}
`,
    `from atrium import AtriumMemory

memory = AtriumMemory(
    api_key="${secret}",
    base_url="${baseURL}",
)

${searches ? pythonSearch('memory.memories') : `memory.memories.create(content="${fact}", visibility="ORG")`}
`,
  ];
}

function curlSearch(url: string, secret: string): string {
  return `curl '${url}' \\
  -H 'Authorization: Bearer ${secret}' \\
  -H 'Content-Type: application/json' \\
  -d '{"query": "when do we release?", "limit": 3}'`;
}

function scriptSearch(target: string): string {
  return `const found = await ${target}.search({ query: 'when do we release?', limit: 3 });
for (const match of found.items) console.log(match.score, match.content);`;
}

function pythonSearch(target: string): string {
  return `for match in ${target}.search(query="when do we release?", limit=3).items:
    print(match.score, match.content)`;
}
