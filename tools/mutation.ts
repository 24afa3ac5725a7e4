import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Node } from 'oxc-parser'
import { defined } from '#kit/domain/defined.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { parseArguments, runCommand } from './command-line.ts'
import type { Mutant, RunnerMessage, RunnerRequest } from './mutation-runner.ts'
import { lineAt, parsed } from './syntax-tree.ts'
import { filesUnder, readSource, root } from './source-files.ts'

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

const RUN_LIMIT_MS = 60_000

/** The process that runs the tests in a copy of the sources. */
class Runner {
  private readonly folder: string
  private readonly project: string
  private child: ChildProcess | undefined

  constructor(folder: string, project: string) {
    this.folder = folder
    this.project = project
  }

  /** The first failure of the tests that reach the file; a run that does not end is one. */
  async findFailure(file: string, mutant?: Mutant): Promise<string | undefined> {
    this.child ??= await this.start()
    const child = this.child
    const source = readFileSync(join(this.folder, file), 'utf8')
    const request: RunnerRequest = { file, ...(mutant && { mutant }) }
    const answered = nextMessage(child, mutant ? RUN_LIMIT_MS : 5 * RUN_LIMIT_MS)
    child.send(request)
    const answer = await answered
    if (!answer) {
      this.stop()
      writeFileSync(join(this.folder, file), source)
      return 'the tests did not end'
    }
    if (answer === 'ready') throw new Error('the runner answered before it was asked')
    if (!mutant && answer.testFiles === 0) {
      console.log(`${file}: no test reaches it`)
    }
    return answer.failure
  }

  private async start(): Promise<ChildProcess> {
    const child = spawn(
      process.execPath,
      [join(root, 'tools/mutation-runner.ts'), this.folder, this.project],
      {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        // A group of its own, so that its workers end with it.
        detached: true,
      },
    )
    if ((await nextMessage(child, RUN_LIMIT_MS)) !== 'ready') throw new StartupError('测试进程没有启动。')
    return child
  }

  stop(): void {
    if (this.child?.pid) {
      process.kill(-this.child.pid, 'SIGKILL')
    }
    this.child = undefined
  }
}

function nextMessage(child: ChildProcess, limit: number): Promise<RunnerMessage | undefined> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(undefined), limit)
    const done = (message: RunnerMessage | undefined): void => {
      clearTimeout(timer)
      child.removeAllListeners('message')
      child.removeAllListeners('exit')
      resolve(message)
    }
    child.once('message', (message: RunnerMessage) => done(message))
    child.once('exit', () => done(undefined))
  })
}

/** Every n-th of a list, evenly spread: the same choice each time. */
const sampled = <T>(list: readonly T[], size: number): T[] =>
  size >= list.length
    ? [...list]
    : Array.from({ length: size }, (_, i) => defined(list[Math.floor((i * list.length) / size)]))

const productFilesUnder = (path: string): string[] =>
  path.endsWith('.ts') ? [path] : filesUnder(path, /\.ts$/).filter(file => !/\.test\.ts$|fixtures/.test(file))

const percentage = (killed: number, total: number): string =>
  `${killed} of ${total} mutants killed: ${total ? ((killed / total) * 100).toFixed(1) : '–'} %`

/** The files whose tests pass as they are; a second try where the machine was busy. */
async function filesThatPass(runner: Runner, files: readonly string[]): Promise<Set<string>> {
  const passing = new Set<string>()
  for (const file of files) {
    const failure = (await runner.findFailure(file)) && (await runner.findFailure(file))
    if (failure) {
      console.log(`${file} 的测试在改动之前就未通过：${failure}`)
    } else {
      passing.add(file)
    }
  }
  return passing
}

/** The mutants that no test noticed, one printed line each. */
async function survivorsOf(runner: Runner, mutants: readonly Mutant[]): Promise<Mutant[]> {
  const survivors: Mutant[] = []
  for (const mutant of mutants) {
    if (await runner.findFailure(mutant.file, mutant)) continue
    survivors.push(mutant)
    const source = readSource(mutant.file)
    const original = source.slice(mutant.start, mutant.end)
    console.log(`${mutant.file}:${lineAt(source, mutant.start)}: ${original} → ${mutant.text || '(removed)'}`)
  }
  return survivors
}

async function run(paths: readonly string[], size: number, project: string): Promise<number> {
  const copy = copyTree()
  const runner = new Runner(copy, project)
  const scores: string[] = []
  let isEnough = true
  try {
    for (const path of paths) {
      const files = await filesThatPass(runner, productFilesUnder(path))
      const mutants = sampled([...files].flatMap(mutantsOfFile), size)
      const killed = mutants.length - (await survivorsOf(runner, mutants)).length
      scores.push(`${path}: ${percentage(killed, mutants.length)}`)
      console.log(scores.at(-1))
      isEnough &&= killed / mutants.length >= 0.85
    }
  } finally {
    runner.stop()
    rmSync(copy, { recursive: true, force: true })
  }
  console.log(`\n${scores.join('\n')}`)
  return isEnough ? 0 : 1
}

await runCommand(async () => {
  const usage = 'npm run mutation -- 文件夹 … [--sample 数量] [--project untimed|fast|server|server-alone]'
  const { values, positionals } = parseArguments(
    { sample: { type: 'string', default: '200' }, project: { type: 'string', default: 'untimed' } },
    usage,
  )
  return run(positionals, Number(values.sample), values.project)
})
