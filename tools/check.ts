import { pathToFileURL } from 'node:url'
import { runCommand, parseArguments } from './command-line.ts'
import { runStep, type Step, type StepOptions } from './run-step.ts'

/** The compiler and the linter are Go programs: with a heap allowed to grow they collect half as often. */
export const RARE_COLLECTIONS = { GOGC: '200' }

/** One checker each: four, as the compiler has of itself, look at what is shared four times. */
const checkTypes = (project: string): Step => ({
  name: `类型 ${project}`,
  command: 'typescript/bin/tsc',
  args: ['-p', `tsconfig.${project}.json`, '--noEmit', '--pretty', 'false', '--checkers', '1'],
  env: RARE_COLLECTIONS,
})

/** Tests that only read the source: layout, imports, names, colours, pages and maps that must be current. */
const SOURCE_TESTS = [
  'tools/format.test.ts',
  'tools/boundaries.test.ts',
  'tools/names.test.ts',
  'tools/colours.test.ts',
  'tools/notices.test.ts',
  'tools/kit-words.test.ts',
  'tools/readme-names.test.ts',
  'tools/rule-ids.test.ts',
  'tools/state-codes.test.ts',
  'tools/table-ownership.test.ts',
  'tools/map.test.ts',
  'tools/role-matrix.test.ts',
  'tools/test-projects.test.ts',
]

/** The checks that are no tests. */
export const programSteps: readonly Step[] = [
  { name: '格式', command: 'oxfmt/bin/oxfmt', args: ['--list-different'] },
  {
    name: '规范',
    command: 'oxlint/bin/oxlint',
    args: ['--type-aware', '--deny-warnings'],
    env: RARE_COLLECTIONS,
  },
  checkTypes('pure'),
  checkTypes('server'),
  checkTypes('web'),
]

const STEPS: readonly Step[] = [
  ...programSteps,
  {
    name: '边界与命名',
    command: 'vitest/vitest.mjs',
    args: ['run', '--project', 'untimed', '--reporter=dot', ...SOURCE_TESTS],
  },
]

const FIXES: Step[] = [
  { name: '规范', command: 'oxlint/bin/oxlint', args: ['--type-aware', '--fix'] },
  { name: '格式', command: 'oxfmt/bin/oxfmt', args: ['--write'] },
]

/** Runs all checks at once and prints the output of those that fail. True when all pass. */
export async function check(steps: readonly Step[] = STEPS, options?: StepOptions): Promise<boolean> {
  const outcomes = await Promise.all(steps.map(async step => ({ step, ...(await runStep(step, options)) })))
  for (const { step, ok, output } of outcomes) {
    console.log(`${ok ? '✓' : '✗'} ${step.name}`)
    if (!ok) {
      console.log(output.trimEnd())
    }
  }
  return outcomes.every(outcome => outcome.ok)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runCommand(async () => {
    const { values } = parseArguments({ fix: { type: 'boolean' } }, 'npm run check -- [--fix]')
    if (values.fix) {
      for (const step of FIXES) {
        await runStep(step)
      }
    }
    const passed = await check()
    if (!passed && !values.fix) {
      console.log('格式与部分规范问题可自动修正：npm run check -- --fix')
    }
    return passed ? 0 : 1
  })
}
