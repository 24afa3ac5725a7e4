import { pathToFileURL } from 'node:url'
import { runCommand, parseArguments } from './command-line.ts'
import { runStep, type Step } from './run-step.ts'

const tsc = (project: string): Step => ({
  name: `类型 ${project}`,
  command: 'typescript/bin/tsc',
  args: ['-p', `tsconfig.${project}.json`, '--noEmit', '--pretty', 'false'],
})

const STEPS: Step[] = [
  tsc('pure'),
  tsc('server'),
  tsc('web'),
  { name: '规范', command: 'oxlint/bin/oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: '格式', command: 'oxfmt/bin/oxfmt', args: ['--list-different'] },
]

const FIXES: Step[] = [
  { name: '规范', command: 'oxlint/bin/oxlint', args: ['--type-aware', '--fix'] },
  { name: '格式', command: 'oxfmt/bin/oxfmt', args: ['--write'] },
]

/** The fast gate: types of the three floors, lint, format; shows only what is wrong. True when nothing is. */
export async function check(): Promise<boolean> {
  const outcomes = await Promise.all(STEPS.map(async step => ({ step, ...(await runStep(step)) })))
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
    const fine = await check()
    if (!fine && !values.fix) {
      console.log('格式与部分规范问题可自动修正：npm run check -- --fix')
    }
    return fine ? 0 : 1
  })
}
