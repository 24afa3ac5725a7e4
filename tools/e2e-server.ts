import { join } from 'node:path'
import { serve } from '#apps/server/main.ts'
import { findFreePort } from '#kit/server/postgres/cluster.ts'
import { migrate } from '#kit/server/postgres/migrate.ts'
import { openTestCluster } from '#kit/server/fixtures/test-database.ts'
import { runCommand, onShutdown } from './command-line.ts'
import { seedDemo } from './database.ts'
import { buildWeb } from './build-web.ts'

/**
 * The whole product on an in-memory database with the demo, for browser tests: prints its address as one line
 * of JSON and lives until its standard input closes.
 */
await runCommand(async () => {
  const [{ cluster, close }] = await Promise.all([openTestCluster(), buildWeb()])
  try {
    await migrate(cluster.url)
    await seedDemo(cluster.url, {
      fill: true,
      alone: true,
      dataDir: join(cluster.dataDir, 'data'),
    })
    const server = await serve({
      databaseUrl: cluster.url,
      port: await findFreePort(),
      dataDir: join(cluster.dataDir, 'data'),
    })
    const end = async () => {
      await server.close()
      await close()
    }
    onShutdown(end)
    process.stdin.resume().once('end', () => process.emit('SIGTERM'))
    console.log(JSON.stringify({ address: server.address, databaseUrl: cluster.url }))
  } catch (error) {
    await close()
    throw error
  }
})
