import { resolve } from 'node:path'
import { demoPileSpeed, startPiles } from '#modules/charging/server/simulator/piles.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { onShutdown, parseArguments, resolveDataDir, runCommand } from './command-line.ts'
import { openDatabaseBesideServer } from './database.ts'

const USAGE = 'npm run piles -- [--server http://127.0.0.1:8100] [--speed 60] [--data ./data]'

await runCommand(async () => {
  const { values } = parseArguments(
    { server: { type: 'string' }, speed: { type: 'string' }, data: { type: 'string' } },
    USAGE,
  )
  const speed = Number(values.speed ?? demoPileSpeed)
  if (!(speed > 0 && speed <= 3600)) throw new StartupError(`--speed 应为 1–3600。\n用法：${USAGE}`)
  const database = await openDatabaseBesideServer(resolve(resolveDataDir(values.data)), { make: false })
  const running = await startPiles({
    databaseUrl: database.url,
    address: values.server ?? 'http://127.0.0.1:8100',
    speed,
    log: console.log,
  })
  const connected = running.piles.filter(pile => pile.isConnected).length
  console.log(`模拟充电桩 ${running.piles.length} 个，已连接 ${connected} 个，充电速度 ${speed} 倍`)
  onShutdown(async () => {
    await running.close()
    await database.close()
  })
  // Stays until it is stopped.
  await new Promise<void>(() => {})
})
