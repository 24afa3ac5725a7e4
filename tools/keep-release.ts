import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { parseArguments, runCommand } from './command-line.ts'
import { belongsToServer, RELEASE_PROGRAM, writeReleaseArchive } from './release/release-archive.ts'
import { root } from './source-files.ts'

const USAGE = 'npm run keep-release -- 提交'

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })

/** Keeps the server of a commit as the previous released version, which upgrades are tried against. */
await runCommand(async () => {
  const { positionals } = parseArguments({}, USAGE)
  const [revision] = positionals
  if (!revision) throw new StartupError(`没有给出提交。\n用法：${USAGE}`)
  const commit = git('rev-parse', '--verify', `${revision}^{commit}`).trim()
  const names = git('ls-tree', '-r', '--name-only', '-z', commit).split('\0').filter(belongsToServer)
  const files = Object.fromEntries(names.map(name => [name, git('show', `${commit}:${name}`)]))
  // A release from before that program is run by the one of today.
  files[RELEASE_PROGRAM] ??= readFileSync(join(root, RELEASE_PROGRAM), 'utf8')
  const { version }: { version: string } = JSON.parse(files['package.json'] ?? '{}')
  const size = writeReleaseArchive({ version, commit, files })
  console.log(
    `已保存 ${version}（${commit.slice(0, 8)}）：${names.length} 个文件，${Math.round(size / 1000)} kB。`,
  )
})
