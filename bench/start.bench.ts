import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort, openCluster } from '#kit/server/postgres/cluster.ts'
import { buildDatabase } from '#tools/build-database.ts'
import { buildWeb } from '#tools/build-web.ts'
import { root } from '#tools/source-files.ts'
import { median, measureMs, atMostLimit, type BenchContext, type BenchRow } from './bench.ts'

export const name = 'start'

/** Seconds until the product answers on that path. */
async function start(dataDir: string, path: '/healthz' | '/readyz', ...options: string[]): Promise<number> {
  const port = await findFreePort()
  const from = performance.now()
  const child = spawn(
    process.execPath,
    ['tools/launch.mjs', 'tools/start.ts', '--port', String(port), '--data', dataDir, ...options],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DATABASE_URL: '' },
    },
  )
  try {
    while (!(await isAnswering(`http://127.0.0.1:${port}${path}`))) {
      if (child.exitCode !== null) throw new Error('the product did not start')
      await pause(10)
    }
    return (performance.now() - from) / 1000
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) {
      await once(child, 'exit')
    }
  }
}

/** Seconds until PostgreSQL alone is up. */
async function bare(dataDir: string): Promise<number> {
  let close = async () => {}
  const ms = await measureMs(async () => {
    const cluster = await openCluster({ dataDir })
    close = () => cluster.close()
  })
  await close()
  return ms / 1000
}

/** From the command to the first answer and to readiness, against PostgreSQL’s own start. */
export async function run({ folder }: BenchContext): Promise<BenchRow[]> {
  await buildWeb()
  await buildDatabase()
  const used = folder()
  const bareUsed = folder()
  return [
    atMostLimit(3, {
      label: '首次启动到准备进度的页面',
      ours: await median(() => start(folder(), '/healthz')),
      raw: await median(() => bare(folder())),
      unit: 's',
    }),
    atMostLimit(12, {
      label: '空目录首次启动到就绪，含演示数据',
      ours: await median(() => start(folder(), '/readyz')),
      raw: await median(() => bare(folder())),
      unit: 's',
    }),
    atMostLimit(6, {
      label: '空目录首次启动到就绪，不含演示数据',
      ours: await median(() => start(folder(), '/readyz', '--empty')),
      raw: await median(() => bare(folder())),
      unit: 's',
    }),
    atMostLimit(2, {
      label: '再次启动到就绪',
      ours: await median(() => start(used, '/readyz')),
      raw: await median(() => bare(bareUsed)),
      unit: 's',
    }),
  ]
}

async function isAnswering(url: string): Promise<boolean> {
  return await fetch(url).then(
    answer => answer.ok,
    () => false,
  )
}
