import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import { join, resolve } from 'node:path'
import { settingGroups } from '#apps/server/setting-groups.ts'
import { errorCode } from '#kit/server/database-error.ts'
import { assertWritableFolder } from '#kit/server/postgres/data-folder.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { assertSettings } from '#kit/server/setting.ts'
import { settings } from '#kit/server/settings.ts'
import { openEarlyServer } from '#kit/server/startup/early-server.ts'
import { isPublicHost } from '#kit/server/startup/public-host.ts'
import { StartupProgress } from '#kit/server/startup/startup-progress.ts'
import { runCommand, resolveDataDir, onShutdown, parsePort, parseArguments } from './command-line.ts'
import { keepCompiledCode } from './compiled-code.ts'
import type { RunningServer } from '#apps/server/main.ts'
import type { buildWeb } from './build-web.ts'
import type { DatabaseHandle } from './database.ts'
import type { DemoAgent } from './demo-agent.ts'
import type { RunningPiles } from '#modules/charging/server/simulator/piles.ts'

// Everything else is read once the port answers: it takes longer than opening the port.

const USAGE = 'npm start -- [--port 8100] [--data ./data] [--empty | --demo]'

interface StartOptions {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly wantsDemo: boolean
}

type BuiltWeb = Awaited<ReturnType<typeof buildWeb>>

type Preparation = StartupProgress<'database' | 'pages' | 'schema' | 'demo' | 'server'>

/** A demo is for trying the product out on a local machine: elsewhere it is created only on request. */
function readOptions(): StartOptions {
  const { values, positionals } = parseArguments(
    {
      port: { type: 'string' },
      data: { type: 'string' },
      empty: { type: 'boolean' },
      demo: { type: 'boolean' },
    },
    USAGE,
  )
  const [word] = positionals
  if (word !== undefined) throw new StartupError(`参数 ${word} 不认识。\n用法：${USAGE}`)
  // All of them, so that a mistake is reported before anything is prepared.
  assertSettings(settingGroups)
  const host = settings.host.read()
  if (values.demo && values.empty) throw new StartupError(`--empty 与 --demo 不能同时给出。\n用法：${USAGE}`)
  if (values.demo && isPublicHost(host))
    throw new StartupError(
      `演示账号的密码是公开的，不能对外服务（HOST=${host}）。请去掉 --demo，或把 HOST 设为 127.0.0.1。`,
    )
  return {
    port: parsePort(values.port),
    host,
    dataDir: resolve(resolveDataDir(values.data)),
    wantsDemo: values.demo ?? (!values.empty && !settings.databaseUrl.read() && !isPublicHost(host)),
  }
}

function openProgress({ wantsDemo }: StartOptions): Preparation {
  return new StartupProgress({
    database: { title: '启动数据库', weight: 2 },
    pages: { title: '构建页面', weight: 3 },
    schema: { title: '更新数据结构', weight: 1.5 },
    demo: { title: wantsDemo ? '放入演示数据' : '检查数据', weight: wantsDemo ? 9 : 0.2 },
    server: { title: '启动服务', weight: 1 },
  })
}

/** The database with its schema and, where wanted, its demo; true when the demo's accounts can be used. */
async function prepareDatabase(
  { dataDir, wantsDemo }: StartOptions,
  progress: Preparation,
  {
    onWaiting,
    onOpened,
  }: { readonly onWaiting: () => void; readonly onOpened: (database: DatabaseHandle) => void },
): Promise<{ database: DatabaseHandle; demo: boolean }> {
  const { openDatabase, reportLeakingLike, seedDemo } = await import('./database.ts')
  const database = await progress.run('database', () => openDatabase(dataDir, onWaiting))
  onOpened(database)
  await progress.run('schema', async report => {
    const { migrate } = await import('#kit/server/postgres/migrate.ts')
    await migrate(database.url, { report })
  })
  const [hasDemo] = await Promise.all([
    progress.run('demo', report => seedDemo(database.url, { fill: wantsDemo, dataDir, report })),
    reportLeakingLike(database.url),
  ])
  return { database, demo: wantsDemo && hasDemo }
}

/**
 * Reads the program: as long as the database takes to start, and longer than anything else of a start with
 * data. The demo's own is read where one will be laid.
 */
async function readProgram({ dataDir, wantsDemo }: StartOptions): Promise<void> {
  const isNew = !existsSync(join(dataDir, 'postgres'))
  const [{ loadInstalledModules }] = await Promise.all([
    import('#apps/server/modules.ts'),
    import('#apps/server/main.ts'),
  ])
  await loadInstalledModules()
  if (wantsDemo && isNew) {
    const { readDemo } = await import('./database.ts')
    await readDemo()
  }
}

/** The pages and the program, made ready beside the database. */
async function prepareProgram(options: StartOptions, progress: Preparation): Promise<BuiltWeb> {
  const [web] = await Promise.all([
    progress.run('pages', async () => (await import('./build-web.ts')).buildWeb(console.log)),
    readProgram(options),
  ])
  return web
}

/** Starts the product on the prepared data. Returns a stop function. */
async function openProduct(
  early: Server,
  { port, dataDir }: StartOptions,
  { database, demo }: { database: DatabaseHandle; demo: boolean },
  onOpened: (close: () => Promise<void>) => void,
): Promise<void> {
  const { serve } = await import('#apps/server/main.ts')
  const simulators = demo
    ? await (await import('./simulators.ts')).startSimulators(dataDir, console.log)
    : undefined
  const server = await serve({ databaseUrl: database.url, port, dataDir, early })
  const agent = demo ? openDemoAgent(server, dataDir) : undefined
  const piles = demo ? openDemoPiles(database.url, server.address) : undefined
  const lanes = demo ? openDemoLanes(server, dataDir) : undefined
  onOpened(async () => {
    // One that is just being paired works with the database still.
    const [startedAgent, startedPiles, startedLanes] = await Promise.all([agent, piles, lanes])
    await Promise.all([startedPiles?.close(), startedLanes?.close()])
    await Promise.all([startedAgent?.close(), server.close()])
    await simulators?.close()
    await database.close()
  })
  console.log(`安居已启动：${server.address}`)
  if (demo) {
    console.log('演示账号：公司一 demo / Anju2026，公司二 demo2 / Anju2026')
    console.log(`商户手机页：${server.address}/coupon/shop?c=1，shop1 / Anju2026`)
  }
  void database.lost.then(async reason => {
    console.error(reason)
    await server.close().catch(() => {})
    process.exit(1)
  })
  await Promise.all([agent, piles, lanes])
}

await runCommand(async () => {
  const options = readOptions()
  assertWritableFolder(options.dataDir)
  const progress = openProgress(options)
  const early = await openEarlyServer(options, () => progress.state()).catch(explainListenError(options.port))
  let end: () => Promise<void> = async () => {}
  onShutdown(() => {
    console.log('正在停止……')
    return end()
  })
  try {
    const beside = Promise.withResolvers<BuiltWeb>()
    let program: Promise<BuiltWeb> | undefined
    const [prepared, web] = await Promise.all([
      prepareDatabase(options, progress, {
        onWaiting: () => beside.resolve((program ??= prepareProgram(options, progress))),
        onOpened: database => (end = database.close),
      }),
      beside.promise,
    ])
    await progress.run('server', () => openProduct(early, options, prepared, close => (end = close)))
    if (web === 'none') {
      console.log('没有页面可构建（缺少 apps/web），只提供接口。')
    }
    console.log(
      settings.databaseUrl.read() ? '按 Ctrl-C 停止。' : `数据目录：${options.dataDir}，按 Ctrl-C 停止。`,
    )
    keepCompiledCode()
  } catch (error) {
    early.close()
    early.closeAllConnections()
    await end()
    throw error
  }
})

/** The product runs without it as well. */
async function openDemoAgent(server: RunningServer, dataDir: string): Promise<DemoAgent | undefined> {
  try {
    const { startDemoAgent } = await import('./demo-agent.ts')
    return await startDemoAgent(server, dataDir, console.log)
  } catch (error) {
    console.warn('网关程序（演示）启动失败：', error)
    return undefined
  }
}

/** The product runs without them as well. */
async function openDemoPiles(databaseUrl: string, address: string): Promise<RunningPiles | undefined> {
  try {
    const { demoPileSpeed, startPiles } = await import('#modules/charging/server/simulator/piles.ts')
    return await startPiles({ databaseUrl, address, speed: demoPileSpeed })
  } catch (error) {
    console.warn('充电桩模拟器启动失败：', error)
    return undefined
  }
}

async function openDemoLanes(
  server: RunningServer,
  dataDir: string,
): Promise<{ close(): Promise<void> } | undefined> {
  try {
    const { startDemoLanes } = await import('./demo-lanes.ts')
    return await startDemoLanes(server, dataDir, console.log)
  } catch (error) {
    console.warn('车道模拟器启动失败：', error)
    return undefined
  }
}

function explainListenError(port: number) {
  return (error: unknown): never => {
    const code = errorCode(error)
    if (code === 'EADDRINUSE')
      throw new StartupError(
        `端口 ${port} 已被占用。请停止占用它的程序，或换一个：npm start -- --port ${port + 1}`,
      )
    if (code === 'EACCES')
      throw new StartupError(`没有权限使用端口 ${port}。请换 1024 以上的端口：npm start -- --port 8100`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartupError(`监听地址 ${settings.host.read()} 不是本机的地址。请检查 HOST。`)
    throw error
  }
}
