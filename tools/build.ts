import { errorMessage } from '#kit/server/database-error.ts'
import { buildDatabase } from './build-database.ts'
import { buildWeb } from './build-web.ts'
import { parseArguments, runCommand } from './command-line.ts'

/**
 * Builds the web pages and the empty database ahead of the first start, for installations whose server may
 * not write its folder. Without that database a first start makes its own.
 */
await runCommand(async () => {
  parseArguments({}, 'npm run build')
  const [built, { loadInstalledModules }] = await Promise.all([
    buildWeb(console.log),
    import('#apps/server/modules.ts'),
    import('#apps/server/main.ts'),
  ])
  // Read once, so that the server's first start finds its code compiled.
  await loadInstalledModules()
  await buildDatabase().catch((error: unknown) => {
    console.warn(`空数据库没有备好，首次启动时再建：${errorMessage(error)}`)
  })
  console.log(built === 'fresh' ? '页面已是最新。' : '页面已构建。')
})
