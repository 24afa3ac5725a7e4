import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Node } from 'oxc-parser'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { parseArguments, runCommand } from './command-line.ts'
import { lineAt, parsed } from './syntax-tree.ts'
import { filesUnder, readSource, root } from './source-files.ts'

/** One change of one file that a test should notice. */
interface Mutant {
  readonly file: string
  readonly start: number
  readonly end: number
  readonly text: string
}

const swappedOperators: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
}

/** The changes that one node of the syntax tree offers. */
function mutantsOf(file: string, source: string, node: Node): Mutant[] {
  const replace = (start: number, end: number, text: string): Mutant[] => [{ file, start, end, text }]
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
    const between = source.slice(node.left.end, node.right.start)
    const swapped = swappedOperators[node.operator]
    const at = node.left.end + between.indexOf(node.operator)
    return swapped ? replace(at, at + node.operator.length, swapped) : []
  }
  if (node.type === 'ConditionalExpression') {
    const test = source.slice(node.test.start, node.test.end)
    return replace(node.test.start, node.test.end, `!(${test})`)
  }
  if (node.type === 'IfStatement') return replace(node.test.start, node.test.end, 'false')
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    return replace(node.start, node.end, source.slice(node.argument.start, node.argument.end))
  }
  if (node.type === 'Literal' && typeof node.value === 'number') {
    return replace(node.start, node.end, String(node.value + 1))
  }
  if (node.type === 'ArrayExpression' && node.elements.length > 1) {
    const last = node.elements.at(-1)
    const before = node.elements.at(-2)
    return last && before ? replace(before.end, last.end, '') : []
  }
  return []
}

function mutantsOfFile(file: string): Mutant[] {
  const source = readSource(file)
  const typeSpans: Node[] = []
  const mutants: Mutant[] = []
  for (const node of parsed(file)) {
    if (/^TS(TypeAnnotation|TypeAliasDeclaration|InterfaceDeclaration)$/.test(node.type)) {
      typeSpans.push(node)
    }
    mutants.push(...mutantsOf(file, source, node))
  }
  return mutants.filter(m => !typeSpans.some(t => t.start <= m.start && m.end <= t.end))
}

/** A copy of the sources that mutants may be written into. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'anju-mutation-'))
  for (const entry of ['apps', 'db', 'kit', 'modules', 'tools', 'package.json', 'vitest.config.ts']) {
    // The tests of the tools look at every file and would kill every mutant.
    cpSync(join(root, entry), join(copy, entry), {
      recursive: true,
      filter: from => !/[\\/]tools[\\/].*\.test\.ts$/.test(from),
    })
  }
  for (const file of ['tsconfig.json', 'tsconfig.base.json']) {
    cpSync(join(root, file), join(copy, file))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Whether the tests that reach the file pass; a run that does not end counts as a failure. */
function passes(copy: string, file: string, project: string): Promise<boolean> {
  const args = ['related', file, '--run', '--project', project, '--bail', '1', '--reporter', 'dot']
  const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: copy,
    stdio: 'ignore',
    timeout: 120_000,
  })
  return new Promise(resolve => {
    child.on('close', code => resolve(code === 0))
    child.on('error', () => resolve(false))
  })
}

/** Every n-th of a list, evenly spread. */
const sampled = <T>(list: readonly T[], size: number): T[] =>
  size >= list.length
    ? [...list]
    : Array.from({ length: size }, (_, i) => list[Math.floor((i * list.length) / size)]!)

async function run(folders: readonly string[], size: number, project: string): Promise<number> {
  const files = folders.flatMap(folder =>
    folder.endsWith('.ts')
      ? [folder]
      : filesUnder(folder, /\.ts$/).filter(file => !/\.test\.ts$|fixtures/.test(file)),
  )
  const queue = sampled(files.flatMap(mutantsOfFile), size)
  const total = queue.length
  const survivors: string[] = []
  const worker = async (): Promise<void> => {
    const copy = copyTree()
    const sound = new Set<string>()
    try {
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
        const path = join(copy, mutant.file)
        if (!sound.has(mutant.file)) {
          if (!(await passes(copy, mutant.file, project)))
            throw new StartupError(`${mutant.file} 的测试在改动之前就没有通过。`)
          sound.add(mutant.file)
        }
        const source = readFileSync(path, 'utf8')
        writeFileSync(path, source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end))
        if (await passes(copy, mutant.file, project)) {
          const was = source.slice(mutant.start, mutant.end)
          survivors.push(
            `${mutant.file}:${lineAt(source, mutant.start)}: ${was} → ${mutant.text || '(removed)'}`,
          )
        }
        writeFileSync(path, source)
      }
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  }
  await Promise.all([worker(), worker()])
  console.log(survivors.toSorted().join('\n'))
  const killed = total - survivors.length
  console.log(`${killed} of ${total} mutants killed: ${((killed / total) * 100).toFixed(1)} %`)
  return killed / total >= 0.85 ? 0 : 1
}

await runCommand(async () => {
  const usage = 'npm run mutation -- 文件夹 … [--sample 数量] [--project fast|server]'
  const { values, positionals } = parseArguments(
    { sample: { type: 'string', default: '200' }, project: { type: 'string', default: 'fast' } },
    usage,
  )
  return run(positionals, Number(values.sample), values.project)
})
