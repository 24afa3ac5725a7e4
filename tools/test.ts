import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { measureBundle, findOversized } from './bundle.ts'
import { check, programSteps } from './check.ts'
import { ensureChromium } from './chromium.ts'
import { runCommand } from './command-line.ts'
import { runStep } from './run-step.ts'
import { filesUnder, root } from './source-files.ts'
import { buildWeb } from './build-web.ts'

interface TestCount {
  passed: number
  failed: number
  skipped: number
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

async function runUnitTests(): Promise<TestCount> {
  const file = join(REPORTS, 'vitest.json')
  const args = ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]
  const { ok } = await runStep({ name: 'vitest', command: 'vitest/vitest.mjs', args }, { live: true })
  const summary =
    report<Record<'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numTodoTests', number>>(file)
  const count = {
    passed: summary?.numPassedTests ?? 0,
    failed: summary?.numFailedTests ?? 0,
    skipped: (summary?.numPendingTests ?? 0) + (summary?.numTodoTests ?? 0),
  }
  return requireSomeTests(count, ok, '单元与服务端测试')
}

async function runJourneys(): Promise<TestCount> {
  if (filesUnder('e2e', /\.spec\.ts$/).length === 0) {
    console.log('暂无浏览器测试（e2e/*.spec.ts），跳过这一步。')
    return { passed: 0, failed: 0, skipped: 0 }
  }
  const env = { CHROMIUM: ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: join(REPORTS, 'playwright.json') }
  await buildWeb(console.log)
  const { ok } = await runStep(
    { name: 'playwright', command: '@playwright/test/cli.js', args: ['test', '--reporter=list,json'], env },
    { live: true },
  )
  const stats = report<{ stats: Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number> }>(
    env.PLAYWRIGHT_JSON_OUTPUT_NAME,
  )?.stats
  const count = {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: stats?.unexpected ?? 0,
    skipped: stats?.skipped ?? 0,
  }
  return requireSomeTests(count, ok, '浏览器测试')
}

/** The size of what a browser fetches, against its limits: one check, of the build that the journeys use. */
async function checkBundle(): Promise<TestCount> {
  if ((await buildWeb(console.log)) === 'none') return { passed: 0, failed: 0, skipped: 0 }
  const heavy = findOversized(measureBundle())
  console.log(heavy.length ? `✗ 页面重量\n${heavy.join('\n')}` : '✓ 页面重量')
  return { passed: heavy.length ? 0 : 1, failed: heavy.length ? 1 : 0, skipped: 0 }
}

/** A part that cannot start is a failure with its reason, and the rest still runs. */
async function runPart(run: () => Promise<TestCount>): Promise<TestCount> {
  try {
    return await run()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

await runCommand(async () => {
  rmSync(REPORTS, { recursive: true, force: true })
  mkdirSync(REPORTS, { recursive: true })
  const counts = [
    // The tests of the sources run with all others.
    await runPart(async () => ({ passed: 0, failed: (await check(programSteps)) ? 0 : 1, skipped: 0 })),
    await runPart(runUnitTests),
    await runPart(checkBundle),
    await runPart(runJourneys),
  ]
  const sum = (key: keyof TestCount) => counts.reduce((total, count) => total + count[key], 0)
  // The last line, for people and programs alike.
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
  return sum('failed') === 0 ? 0 : 1
})
