import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ViteDevServer } from 'vite'
import { migrate, MIGRATIONS } from '#kit/server/postgres/migrate.ts'
import { settings } from '#kit/server/settings.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { runCommand, resolveDataDir, onShutdown, parsePort, parseArguments } from './command-line.ts'
import { seedDemo, openDatabase } from './database.ts'
import { root } from './source-files.ts'

const USAGE = 'npm run dev -- [--port 8100] [--web 8101] [--data ./data] [--empty | --demo]'

await runCommand(async () => {
  const options = {
    port: { type: 'string' },
    web: { type: 'string' },
    data: { type: 'string' },
    empty: { type: 'boolean' },
    demo: { type: 'boolean' },
  } as const
  const { values } = parseArguments(options, USAGE)
  const port = parsePort(values.port)
  const dataDir = resolve(resolveDataDir(values.data))
  const database = await openDatabase(dataDir)
  try {
    await migrate(database.url)
    await seedDemo(database.url, {
      fill: values.demo ?? (!values.empty && !settings.databaseUrl.read()),
      dataDir,
    })
    const env = {
      ...process.env,
      DATABASE_URL: database.url,
      PORT: String(port),
      DATA_DIR: dataDir,
    }
    const server = spawn(
      process.execPath,
      ['--watch', '--watch-preserve-output', join(root, 'tools/serve.ts')],
      {
        env,
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    )
    const web = await startWeb(port, values.web ? parsePort(values.web) : port + 1)
    watchMigrations(database.url)
    onShutdown(async () => {
      await web?.close()
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGTERM')
        await once(server, 'exit')
      }
      await database.close()
    })
    console.log(`接口：http://127.0.0.1:${port}（代码变化后自动重启）`)
    if (web) {
      console.log(`页面：${web.resolvedUrls?.local[0] ?? ''}（即时更新）`)
    }
    console.log('按 Ctrl-C 停止。')
    void database.lost.then(reason => {
      console.error(reason)
      process.exit(1)
    })
  } catch (error) {
    await database.close()
    throw error
  }
})

async function startWeb(server: number, port: number): Promise<ViteDevServer | undefined> {
  if (!existsSync(join(root, 'apps/web/index.html'))) return undefined
  const vite = await import('vite')
  const web = await vite.createServer({
    root: join(root, 'apps/web'),
    logLevel: 'warn',
    clearScreen: false,
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      proxy: { '/api': { target: `http://127.0.0.1:${server}`, ws: true } },
    },
  })
  await web.listen().catch((error: Error) => {
    throw new StartupError(`页面服务启动失败：${error.message}。可用 --web 更换端口。`)
  })
  return web
}

/** A new migration is applied when its file is saved; the server need not restart for it. */
function watchMigrations(url: string): void {
  let waiting: NodeJS.Timeout | undefined
  watch(MIGRATIONS, () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      migrate(url).then(
        names => names.length && console.log(`已执行迁移：${names.join('、')}`),
        (error: Error) => console.error(error.message),
      )
    }, 300)
  })
}
