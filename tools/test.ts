import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { measureBundle, findOversized } from './bundle.ts'
import { check, programSteps } from './check.ts'
import { ensureChromium } from './chromium.ts'
import { runCommand } from './command-line.ts'
import { failedJourneys, failedTests, type JourneyReport, type TestReport } from './failed-tests.ts'
import { runStep, type StepOptions } from './run-step.ts'
import { filesUnder, root } from './source-files.ts'
import { buildWeb } from './build-web.ts'

interface TestCount {
  passed: number
  failed: number
  skipped: number
  /** What failed, each with the start of its message: printed once more at the end. */
  failures?: readonly string[]
}

const REPORTS = join(root, 'dist/test')

function report<T>(file: string): T | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** A runner that ran nothing, or failed without naming a test, counts as one failure. */
function requireSomeTests(count: TestCount, ok: boolean, name: string): TestCount {
  if (count.passed + count.failed === 0) {
    console.log(`✗ ${name}：没有执行任何测试`)
  } else if (ok || count.failed > 0) {
    return count
  }
  return { ...count, failed: count.failed + 1 }
}

/** Format, types and lint; the tests of the sources are among the untimed ones. */
async function checkPrograms(): Promise<TestCount> {
  const ok = await check(programSteps, { background: true })
  return { passed: 0, failed: ok ? 0 : 1, skipped: 0, failures: ok ? [] : ['✗ 格式、类型或规则检查'] }
}

/** The tests of these projects; the report is named after the first. */
async function runVitest(
  name: string,
  projects: readonly string[],
  options: StepOptions,
): Promise<TestCount> {
  const file = join(REPORTS, `${projects[0]}.json`)
  const args = ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]
  for (const project of projects) {
    args.push(`--project=${project}`)
  }
  const { ok, output } = await runStep({ name, command: 'vitest/vitest.mjs', args }, options)
  if (options.live !== true) {
    console.log(ok ? `✓ ${name}` : output.trimEnd())
  }
  const summary = report<TestReport>(file)
  const count = {
    passed: summary?.numPassedTests ?? 0,
    failed: summary?.numFailedTests ?? 0,
    skipped: (summary?.numPendingTests ?? 0) + (summary?.numTodoTests ?? 0),
    failures: summary ? failedTests(summary) : [],
  }
  return requireSomeTests(count, ok, name)
}

/** The pages that the journeys open, built once. */
let building: ReturnType<typeof buildWeb> | undefined
const ensureBuilt = (): ReturnType<typeof buildWeb> => (building ??= buildWeb(console.log))

async function runJourneys(): Promise<TestCount> {
  if (filesUnder('e2e', /\.spec\.ts$/).length === 0) {
    console.log('暂无浏览器测试（e2e/*.spec.ts），跳过这一步。')
    return { passed: 0, failed: 0, skipped: 0 }
  }
  const env = { CHROMIUM: ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: join(REPORTS, 'playwright.json') }
  await ensureBuilt()
  const { ok } = await runStep(
    { name: 'playwright', command: '@playwright/test/cli.js', args: ['test', '--reporter=list,json'], env },
    { live: true },
  )
  const summary = report<JourneyReport>(env.PLAYWRIGHT_JSON_OUTPUT_NAME)
  const stats = summary?.stats
  const count = {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: stats?.unexpected ?? 0,
    skipped: stats?.skipped ?? 0,
    failures: summary ? failedJourneys(summary) : [],
  }
  return requireSomeTests(count, ok, '浏览器测试')
}

/** The size of what a browser fetches, against its limits: one check, of the build that the journeys use. */
async function checkBundle(): Promise<TestCount> {
  if ((await ensureBuilt()) === 'none') return { passed: 0, failed: 0, skipped: 0 }
  const heavy = findOversized(measureBundle())
  console.log(heavy.length ? `✗ 页面重量\n${heavy.join('\n')}` : '✓ 页面重量')
  return { passed: heavy.length ? 0 : 1, failed: heavy.length ? 1 : 0, skipped: 0, failures: heavy }
}

/** A part that cannot start is a failure with its reason, and the rest still runs. */
async function runPart(run: () => Promise<TestCount>): Promise<TestCount> {
  try {
    return await run()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    console.error(message)
    return { passed: 0, failed: 1, skipped: 0, failures: [`✗ ${message}`] }
  }
}

const runTimedTests = (): Promise<TestCount> =>
  runVitest('服务端与界面测试', ['fast', 'server', 'server-alone'], { live: true })

const runUntimedTests = (): Promise<TestCount> =>
  runVitest('源码与规则测试', ['untimed'], { background: true })

await runCommand(async () => {
  rmSync(REPORTS, { recursive: true, force: true })
  mkdirSync(REPORTS, { recursive: true })
  // The parts that need it report what went wrong.
  ensureBuilt().catch(() => {})
  // Waiting for clocks and other processes leaves about a tenth of both cores unused: enough for what itself
  // waits for nothing.
  const checks = runPart(checkPrograms)
  const timed = await runPart(runTimedTests)
  const untimed = runPart(runUntimedTests)
  const counts = [timed, await runPart(checkBundle), await runPart(runJourneys), await checks, await untimed]
  const sum = (key: 'passed' | 'failed' | 'skipped') => counts.reduce((total, count) => total + count[key], 0)
  const failures = counts.flatMap(count => count.failures ?? [])
  if (failures.length > 0) {
    console.log(`\n未通过：\n${failures.join('\n')}`)
  }
  // The last line, for people and programs alike.
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
  return sum('failed') === 0 ? 0 : 1
})
