import { maintenanceCrons } from '#kit/server/maintenance.ts'
import type { Cron } from '#kit/server/jobs.ts'
import { openServer } from '#kit/server/server.ts'
import type { loadInstalledModules } from '#apps/server/modules.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'

/** All work of the clock, once each, whatever its hour. Returns how many there are. */
export async function runEveryCron(
  databaseUrl: string,
  dataDir: string,
  installed: Awaited<ReturnType<typeof loadInstalledModules>>,
): Promise<number> {
  const server = await openServer({
    databaseUrl,
    dataDir,
    installed,
    loadCaller: createCallerLoader,
    version: 'proof',
    runsJobs: false,
    logging: { logger: false },
  })
  try {
    const crons: Cron[] = [
      ...maintenanceCrons(server.jobs),
      ...installed.flatMap(module => module.server.crons ?? []),
    ]
    const failures: string[] = []
    for (const cron of crons) {
      await cron.run(server.app, new AbortController().signal).catch((error: unknown) => {
        failures.push(`${cron.name}：${error instanceof Error ? error.message : String(error)}`)
      })
    }
    for (const { name, run } of installed.flatMap(module => module.server.intervals ?? [])) {
      await run(server.app).catch((error: unknown) => {
        failures.push(`${name}：${error instanceof Error ? error.message : String(error)}`)
      })
    }
    if (failures.length) throw new Error(`定时任务失败：\n${failures.join('\n')}`)
    return crons.length
  } finally {
    await server.close()
  }
}
