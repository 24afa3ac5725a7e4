import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { parseArguments, runCommand } from './command-line.ts'
import { importsOf, readSource } from './source-files.ts'
import { readProductVersion } from './product-version.ts'

const USAGE = 'npm run agent-package -- [更新包文件名] [--folder 安装用的文件夹]'

/** The programs that the agent starts by their path. */
const entries = [
  'apps/agent/start.mjs',
  'apps/agent/main.ts',
  'apps/agent/program.ts',
  'apps/agent/drivers/driver-process.ts',
]

/** All source files that the agent's programs need, by following their imports. */
function agentFiles(): string[] {
  const found = new Set<string>()
  const follow = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    importsOf(file).forEach(follow)
  }
  entries.forEach(follow)
  return [...found].toSorted()
}

export interface AgentPackage {
  readonly version: string
  readonly bytes: Buffer
  readonly sha256: string
}

/** The agent's files by their paths, with a manifest of their own: all that it needs but Node. */
function agentFolder(version: string): Record<string, string> {
  const manifest = {
    name: 'anju-agent',
    version,
    private: true,
    type: 'module',
    imports: { '#kit/*': './kit/*', '#modules/*': './modules/*' },
  }
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    ...Object.fromEntries(agentFiles().map(file => [file, readSource(file)])),
  }
}

/** What `updateAgent` installs: the folder, compressed. The same files give the same bytes. */
export function makeAgentPackage(version = readProductVersion()): AgentPackage {
  const bytes = gzipSync(JSON.stringify({ version, files: agentFolder(version) }), { level: 9 })
  return { version, bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Writes the folder itself, for the first installation, with what a person needs for it. */
export function writeAgentFolder(folder: string, version = readProductVersion()): void {
  const files = {
    ...agentFolder(version),
    'README.md': readSource('apps/agent/README.md'),
    'anju-agent.service': readSource('deploy/anju-agent.service'),
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runCommand(async () => {
    const { positionals, values } = parseArguments({ folder: { type: 'string' } }, USAGE)
    if (values.folder !== undefined) {
      writeAgentFolder(values.folder)
      console.log(`${values.folder}：版本 ${readProductVersion()}`)
      return
    }
    const { version, bytes, sha256 } = makeAgentPackage()
    const file = positionals[0] ?? `anju-agent-${version}.package`
    writeFileSync(file, bytes)
    console.log(`${file}：版本 ${version}，${bytes.length} 字节，SHA-256 ${sha256}`)
  })
}
