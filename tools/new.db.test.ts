import { defined } from '#kit/domain/defined.ts'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from './source-files.ts'

const bin = join(root, 'node_modules')
let copy: string

/** Runs a tool in the copy and returns what it printed. Throws where the tool fails. */
function run(command: string, ...args: readonly string[]): string {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([k]) => !/^(VITEST|ANJU_TEST|NODE_ENV)/.test(k)),
  )
  const done = spawnSync(command, args, { cwd: copy, env, encoding: 'utf8' })
  const output = `${done.stdout}${done.stderr}`
  if (done.status !== 0) throw new Error(`${args.join(' ')}\n${output}`)
  return output
}

const scaffold = (...args: readonly string[]): string => run('npm', 'run', '--silent', 'new', '--', ...args)

/** Checks the new module alone, with what it imports. */
function typeCheck(files: readonly string[], base: string): string {
  const config = JSON.stringify({
    extends: base,
    files,
    include: [],
    compilerOptions: { incremental: false },
  })
  writeFileSync(join(copy, 'tsconfig.new.json'), config)
  return run(process.execPath, join(bin, 'typescript/bin/tsc'), '-p', 'tsconfig.new.json', '--noEmit')
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

it('a scaffolded module is formatted, passes the linter, compiles, and works on PostgreSQL', () => {
  scaffold('module', 'hand-tools', '工具')
  const made = scaffold('entity', 'hand-tools', 'spare-part', '备件', '--sheet')
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
  typeCheck(
    files.filter(f => !f.includes('/web/')),
    './tsconfig.server.json',
  )
  typeCheck(
    files.filter(f => f.includes('/web/')),
    './tsconfig.web.json',
  )
  const sources = [...new Set(files.filter(f => /\.tsx?$/.test(f)))]
  run(process.execPath, join(bin, 'oxfmt/bin/oxfmt'), '--list-different', ...sources)
  run(process.execPath, join(bin, 'oxlint/bin/oxlint'), '--type-aware', '--deny-warnings', ...sources)
  const vitest = join(bin, 'vitest/vitest.mjs')
  expect(run(process.execPath, vitest, 'run', '--project', 'server', 'modules/hand-tools')).toMatch(
    /2 passed/,
  )
}, 120_000)

it('a name in small letters, words joined by hyphens or by capitals, is the same name', () => {
  scaffold('module', 'keyCabinets', '钥匙柜')
  expect(scaffold('entity', 'key-cabinets', 'cabinetKey', '钥匙')).toContain(
    '+ modules/key-cabinets/contract/cabinet-key.ts',
  )
  expect(() => scaffold('module', 'Key_cabinets', '钥匙柜')).toThrow('用法')
  expect(() => scaffold('module', 'key-', '钥匙柜')).toThrow('用法')
}, 120_000)
