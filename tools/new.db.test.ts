import { defined } from '#kit/domain/defined.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RARE_COLLECTIONS } from './check.ts'
import { root } from './source-files.ts'

const bin = join(root, 'node_modules')
let copy: string

/** Runs a tool in the copy and returns what it printed. Throws where the tool fails. */
async function run(command: string, ...args: readonly string[]): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([k]) => !/^(VITEST|ANJU_TEST|NODE_ENV)/.test(k)),
  )
  const tool = spawn(command, args, {
    cwd: copy,
    env: { ...env, ...RARE_COLLECTIONS },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(tool, 'close')
  const output = (await Promise.all([text(tool.stdout), text(tool.stderr)])).join('')
  const [status]: unknown[] = await ended
  if (status !== 0) throw new Error(`${args.join(' ')}\n${output}`)
  return output
}

const scaffold = (...args: readonly string[]): Promise<string> =>
  run('npm', 'run', '--silent', 'new', '--', ...args)

/** Checks the part of the new module that belongs to a project, with what it imports. */
function typeCheck(files: readonly string[], project: 'server' | 'web'): Promise<string> {
  const file = `tsconfig.new-${project}.json`
  const config = JSON.stringify({
    extends: `./tsconfig.${project}.json`,
    files,
    include: [],
    compilerOptions: { incremental: false },
  })
  writeFileSync(join(copy, file), config)
  return run(process.execPath, join(bin, 'typescript/bin/tsc'), '-p', file, '--noEmit', '--checkers', '1')
}

beforeAll(() => {
  copy = mkdtempSync(join(realpathSync(tmpdir()), 'new-module-'))
  for (const part of [
    'kit',
    'modules',
    'apps',
    'db',
    'tools',
    'package.json',
    'vitest.config.ts',
    '.oxfmtrc.json',
    '.oxlintrc.json',
    'tsconfig.json',
  ]) {
    cpSync(join(root, part), join(copy, part), { recursive: true })
  }
  for (const config of ['base', 'server', 'web']) {
    cpSync(join(root, `tsconfig.${config}.json`), join(copy, `tsconfig.${config}.json`))
  }
  symlinkSync(realpathSync(bin), join(copy, 'node_modules'))
})

afterAll(() => rmSync(copy, { recursive: true, force: true }))

it('a scaffolded module is formatted, passes the linter, compiles, and works on PostgreSQL', async () => {
  await scaffold('module', 'hand-tools', '工具')
  const made = await scaffold('entity', 'hand-tools', 'spare-part', '备件', '--sheet')
  expect(made).toContain('+ modules/hand-tools/contract/spare-part.ts')
  const files = [...made.matchAll(/^[+~] (modules\/\S+)$/gm)].map(m => defined(m[1]))
  const lines = files
    .filter(f => !f.endsWith('.test.ts'))
    .reduce((sum, f) => sum + readFileSync(join(copy, f), 'utf8').split('\n').length - 1, 0)
  expect(lines).toBeLessThanOrEqual(150)
  expect(readFileSync(join(copy, 'modules/index.ts'), 'utf8')).toContain(
    "import { manifest as handTools } from './hand-tools/module.ts'",
  )
  expect(readFileSync(join(copy, 'modules/hand-tools/server/tables.ts'), 'utf8')).toContain('spare_part: []')
  const sources = [...new Set(files.filter(f => /\.tsx?$/.test(f)))]
  const tool = (path: string, ...args: readonly string[]) => run(process.execPath, join(bin, path), ...args)
  // At once: none needs what another makes.
  const [tested] = await Promise.all([
    tool('vitest/vitest.mjs', 'run', '--project', 'server', 'modules/hand-tools'),
    typeCheck(
      files.filter(f => !f.includes('/web/')),
      'server',
    ),
    typeCheck(
      files.filter(f => f.includes('/web/')),
      'web',
    ),
    tool('oxfmt/bin/oxfmt', '--list-different', ...sources),
    tool('oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...sources),
  ])
  expect(tested).toMatch(/2 passed/)
}, 120_000)

it('a name in small letters, words joined by hyphens or by capitals, is the same name', async () => {
  await scaffold('module', 'keyCabinets', '钥匙柜')
  expect(await scaffold('entity', 'key-cabinets', 'cabinetKey', '钥匙')).toContain(
    '+ modules/key-cabinets/contract/cabinet-key.ts',
  )
  await expect(scaffold('module', 'Key_cabinets', '钥匙柜')).rejects.toThrow('用法')
  await expect(scaffold('module', 'key-', '钥匙柜')).rejects.toThrow('用法')
}, 120_000)
