import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundleOf, tooHeavy } from './bundle.ts'
import { check } from './check.ts'
import { ensureChromium } from './chromium.ts'
import { command } from './console.ts'
import { run } from './steps.ts'
import { filesUnder, root } from './tree.ts'
import { buildWeb } from './web.ts'

interface Count {
  passed: number
  failed: number
  skipped: number
}

const REPORTS = join(root, 'dist/test')

function report<T>(file: string): T | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined
}

/** A runner that ran nothing, or failed without naming a test, counts as one failure. */
function honest(count: Count, ok: boolean, name: string): Count {
  if (count.passed + count.failed === 0) {
    console.log(`✗ ${name}：没有执行任何测试`)
  } else if (ok || count.failed > 0) {
    return count
  }
  return { ...count, failed: count.failed + 1 }
}

async function units(): Promise<Count> {
  const file = join(REPORTS, 'vitest.json')
  const args = ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]
  const { ok } = await run({ name: 'vitest', command: 'vitest/vitest.mjs', args }, { live: true })
  const said =
    report<Record<'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numTodoTests', number>>(file)
  const count = {
    passed: said?.numPassedTests ?? 0,
    failed: said?.numFailedTests ?? 0,
    skipped: (said?.numPendingTests ?? 0) + (said?.numTodoTests ?? 0),
  }
  return honest(count, ok, '单元与服务端测试')
}

async function journeys(): Promise<Count> {
  if (filesUnder('e2e', /\.spec\.ts$/).length === 0) {
    console.log('还没有浏览器测试（e2e/*.spec.ts），跳过这一步。')
    return { passed: 0, failed: 0, skipped: 0 }
  }
  const env = { CHROMIUM: ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: join(REPORTS, 'playwright.json') }
  await buildWeb(console.log)
  const { ok } = await run(
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
  return honest(count, ok, '浏览器测试')
}

/** What a browser fetches, against the bars: one check, of the build that the journeys use. */
async function weight(): Promise<Count> {
  if ((await buildWeb(console.log)) === 'none') return { passed: 0, failed: 0, skipped: 0 }
  const heavy = tooHeavy(bundleOf())
  console.log(heavy.length ? `✗ 页面重量\n${heavy.join('\n')}` : '✓ 页面重量')
  return { passed: heavy.length ? 0 : 1, failed: heavy.length ? 1 : 0, skipped: 0 }
}

/** A part that cannot even begin is a failure with its reason, and the rest still runs. */
async function part(run: () => Promise<Count>): Promise<Count> {
  try {
    return await run()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

await command(async () => {
  rmSync(REPORTS, { recursive: true, force: true })
  mkdirSync(REPORTS, { recursive: true })
  const counts = [
    await part(async () => ({ passed: 0, failed: (await check()) ? 0 : 1, skipped: 0 })),
    await part(units),
    await part(weight),
    await part(journeys),
  ]
  const sum = (key: keyof Count) => counts.reduce((total, count) => total + count[key], 0)
  // The last line, for people and programs alike.
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
  return sum('failed') === 0 ? 0 : 1
})
