/**
 * Runs the tests that reach a file, again and again, in one long-lived Vitest whose folder is a copy of the
 * sources; a parent process sends the changes and ends this one when a change makes the tests run for ever.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { runCommand } from './command-line.ts'

/** One change of one file that a test should notice. */
export interface Mutant {
  readonly file: string
  readonly start: number
  readonly end: number
  readonly text: string
}

/** What the runner returns; `ready` once it can take a file. */
export type RunnerMessage = 'ready' | { readonly failure: string | undefined; readonly testFiles: number }

/** What the runner is asked: the tests of a file as it is, or with one change. */
export type RunnerRequest = { readonly file: string; readonly mutant?: Mutant }

/** The tests that reach the file, those beside it first: they are quick and kill most changes. */
async function specificationsOf(vitest: Vitest, path: string): Promise<TestSpecification[][]> {
  vitest.config.related = [path]
  const related = await vitest.getRelevantTestSpecifications()
  const stem = basename(path, '.ts')
  const own = related.filter(s => basename(s.moduleId).startsWith(`${stem}.`))
  const beside = related.filter(s => dirname(s.moduleId) === dirname(path) && !own.includes(s))
  const others = related.filter(s => !own.includes(s) && !beside.includes(s))
  return [own, beside, others].filter(group => group.length > 0)
}

/** The first failure among the tests; they stop there. */
async function findFailure(
  vitest: Vitest,
  groups: readonly TestSpecification[][],
): Promise<string | undefined> {
  for (const group of groups) {
    // The failures of earlier runs would count towards `bail`.
    vitest.state.filesMap.clear()
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(group)
    const failed = testModules.find(module => !module.ok())
    if (failed) {
      const tests = [...failed.children.allTests('failed')].map(test => test.fullName)
      const errors = [
        ...failed.errors(),
        ...[...failed.children.allTests('failed')].flatMap(test => test.result().errors ?? []),
      ]
      return [failed.relativeModuleId, ...tests, ...errors.map(error => error.message)].join('\n  ')
    }
    if (unhandledErrors.length > 0) return String(unhandledErrors[0])
  }
  return undefined
}

async function serve(folder: string, project: string): Promise<void> {
  process.chdir(folder)
  const vitest = await createVitest({
    root: folder,
    watch: false,
    project,
    bail: 1,
    reporters: [{}],
    maxWorkers: 1,
  })
  const groupsByFile = new Map<string, TestSpecification[][]>()
  const answer = async ({ file, mutant }: RunnerRequest): Promise<RunnerMessage> => {
    const path = join(folder, file)
    const groups = groupsByFile.get(file) ?? (await specificationsOf(vitest, path))
    groupsByFile.set(file, groups)
    const testFiles = groups.flat().length
    if (!mutant) return { failure: await findFailure(vitest, groups), testFiles }
    const source = readFileSync(path, 'utf8')
    try {
      writeFileSync(path, source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end))
      vitest.invalidateFile(path)
      return { failure: await findFailure(vitest, groups), testFiles }
    } finally {
      writeFileSync(path, source)
      vitest.invalidateFile(path)
    }
  }
  const send = (message: RunnerMessage): void => void process.send?.(message)
  process.on('message', (request: RunnerRequest) => {
    answer(request).then(send, (error: unknown) => {
      console.error(error)
      process.exit(1)
    })
  })
  process.on('disconnect', () => process.exit(0))
  send('ready')
}

await runCommand(async () => {
  const [folder, project] = process.argv.slice(2)
  if (!folder || !project) throw new StartupError('由 tools/mutation.ts 启动。')
  await serve(folder, project)
})
