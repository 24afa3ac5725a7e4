import { errorCode } from '#kit/server/database-error.ts'
import { resolve } from 'node:path'
import { migrate } from '#kit/server/postgres/migrate.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { runCommand, resolveDataDir, onShutdown, parsePort, parseArguments } from './command-line.ts'
import { seedDemo, openDatabase } from './database.ts'
import { ensureSimulator } from '#modules/invoices/server/simulator/simulator.ts'
import { startGatewayIfAbsent } from '#modules/payments/server/simulator/gateway.ts'
import type { RunningServer } from '#apps/server/main.ts'
import type { DemoAgent } from './demo-agent.ts'
import { buildWeb } from './build-web.ts'

const USAGE = 'npm start -- [--port 8100] [--data ./data] [--empty]'

await runCommand(async () => {
  const { values } = parseArguments(
    { port: { type: 'string' }, data: { type: 'string' }, empty: { type: 'boolean' } },
    USAGE,
  )
  const port = parsePort(values.port)
  const dataDir = resolve(resolveDataDir(values.data))
  let end: () => Promise<void> = async () => {}
  onShutdown(() => end())

  const [database, web] = await Promise.all([
    openDatabase(dataDir),
    buildWeb(console.log),
    import('#apps/server/main.ts'),
  ])
  end = database.close
  try {
    await migrate(database.url)
    const demo = await seedDemo(database.url, { fill: !values.empty, dataDir })
    const { serve } = await import('#apps/server/main.ts')
    const gateway = demo ? await startGatewayIfAbsent(dataDir, console.log) : undefined
    const platform = demo ? await ensureSimulator(dataDir, console.log) : undefined
    const server = await serve({ databaseUrl: database.url, port, dataDir, demo }).catch(
      explainListenError(port),
    )
    const agent = demo ? await openDemoAgent(server, dataDir) : undefined
    end = async () => {
      console.log('正在停止……')
      await agent?.close()
      await server.close()
      await gateway?.close()
      await platform?.close()
      await database.close()
    }
    console.log(`安居已启动：${server.address}`)
    if (demo) {
      console.log('演示账号：公司一 demo / Anju2026，公司二 demo2 / Anju2026')
    }
    if (web === 'none') {
      console.log('没有页面可构建（缺少 apps/web），只提供接口。')
    }
    console.log(process.env.DATABASE_URL ? '按 Ctrl-C 停止。' : `数据目录：${dataDir}，按 Ctrl-C 停止。`)
    void database.lost.then(async reason => {
      console.error(reason)
      await server.close().catch(() => {})
      process.exit(1)
    })
  } catch (error) {
    await database.close()
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

function explainListenError(port: number) {
  return (error: unknown): never => {
    const code = errorCode(error)
    if (code === 'EADDRINUSE')
      throw new StartupError(
        `端口 ${port} 已被占用。请停止占用它的程序，或换一个：npm start -- --port ${port + 1}`,
      )
    if (code === 'EACCES')
      throw new StartupError(`没有权限使用端口 ${port}。请换 1024 以上的端口：npm start -- --port 8100`)
    throw error
  }
}
