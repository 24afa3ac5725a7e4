import { join } from 'node:path'
import { serve } from '#apps/server/main.ts'
import { freePort } from '#kit/server/ground/cluster.ts'
import { migrate } from '#kit/server/ground/migrate.ts'
import { openTestCluster } from '#kit/server/ground/testing.ts'
import { command, onEnd } from './console.ts'
import { demoIn } from './database.ts'
import { buildWeb } from './web.ts'

/**
 * The whole product on a database in memory with the demo, for browser tests: prints its address as one line
 * of JSON and lives until its standard input closes.
 */
await command(async () => {
  const [{ cluster, close }] = await Promise.all([openTestCluster(), buildWeb()])
  try {
    await migrate(cluster.url)
    const demo = await demoIn(cluster.url, {
      fill: true,
      alone: true,
      dataDir: join(cluster.dataDir, 'data'),
    })
    const server = await serve({
      databaseUrl: cluster.url,
      port: await freePort(),
      dataDir: join(cluster.dataDir, 'data'),
      demo,
    })
    const end = async () => {
      await server.close()
      await close()
    }
    onEnd(end)
    process.stdin.resume().once('end', () => process.emit('SIGTERM'))
    console.log(JSON.stringify({ address: server.address, databaseUrl: cluster.url }))
  } catch (error) {
    await close()
    throw error
  }
})
