// One server process for the bench of files: `node file-server.ts ours|bare URL DATADIR`. Says its port, and
// when its input ends the most memory that it had, in MB.
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { portOf } from '#kit/server/fixtures/port.ts'
import { openServer } from '#kit/server/server.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'

const [which = '', databaseUrl = '', dataDir = ''] = process.argv.slice(2)

async function startProduct(): Promise<Server> {
  const { http } = await openServer({
    databaseUrl,
    dataDir,
    installed: await loadInstalledModules(),
    loadCaller: createCallerLoader,
    version: 'bench',
    runsJobs: false,
    disableThrottle: true,
  })
  await http.listen({ port: 0, host: '127.0.0.1' })
  return http.server
}

/** What is sent to the disk, until it is there, and back, by nothing but Node. */
async function startBareServer(): Promise<Server> {
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'bare')
  const server = createServer((req, res) => {
    const work =
      req.method === 'GET'
        ? pipeline(createReadStream(file), res)
        : pipeline(req, createWriteStream(file, { flush: true })).then(() => res.end())
    work.catch(() => res.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

const server = await (which === 'ours' ? startProduct() : startBareServer())
process.stdout.write(`${JSON.stringify({ port: portOf(server) })}\n`)
process.stdin.resume().once('end', () => {
  process.stdout.write(`${JSON.stringify({ megabytes: process.resourceUsage().maxRSS / 1024 })}\n`, () =>
    process.exit(0),
  )
})
