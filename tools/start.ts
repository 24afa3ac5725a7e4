import { resolve } from 'node:path'
import { migrate } from '#kit/server/ground/migrate.ts'
import { Obstacle } from '#kit/server/ground/obstacle.ts'
import { command, dataFolder, onEnd, portOf, words } from './console.ts'
import { demoIn, ownOrGiven } from './database.ts'
import { platformIn } from '#modules/invoices/server/simulator/open.ts'
import { gatewayHere } from '#modules/payments/server/simulator/open.ts'
import { buildWeb } from './web.ts'

const USAGE = 'npm start -- [--port 8100] [--data ./data] [--empty]'

await command(async () => {
  const { values } = words(
    { port: { type: 'string' }, data: { type: 'string' }, empty: { type: 'boolean' } },
    USAGE,
  )
  const port = portOf(values.port)
  const dataDir = resolve(dataFolder(values.data))
  let end: () => Promise<void> = async () => {}
  onEnd(() => end())

  const [database, web] = await Promise.all([
    ownOrGiven(dataDir),
    buildWeb(console.log),
    import('#apps/server/main.ts'),
  ])
  end = database.close
  try {
    await migrate(database.url)
    const demo = await demoIn(database.url, { fill: !values.empty, dataDir })
    const { serve } = await import('#apps/server/main.ts')
    const gateway = demo ? await gatewayHere(dataDir, console.log) : undefined
    const platform = demo ? await platformIn(dataDir, console.log) : undefined
    const server = await serve({ databaseUrl: database.url, port, dataDir, demo }).catch(explain(port))
    end = async () => {
      console.log('正在停止……')
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

function explain(port: number) {
  return (error: unknown): never => {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EADDRINUSE')
      throw new Obstacle(
        `端口 ${port} 已被占用。请停止占用它的程序，或换一个：npm start -- --port ${port + 1}`,
      )
    if (code === 'EACCES')
      throw new Obstacle(`没有权限使用端口 ${port}。请换 1024 以上的端口：npm start -- --port 8100`)
    throw error
  }
}
