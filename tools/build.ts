import { buildWeb } from './build-web.ts'
import { useCompiledCode } from './compiled-code.ts'
import { parseArguments, runCommand } from './command-line.ts'

/** Builds the web pages ahead of the first start, for installations whose server may not write its folder. */
await runCommand(async () => {
  parseArguments({}, 'npm run build')
  useCompiledCode()
  const [built, { loadInstalledModules }] = await Promise.all([
    buildWeb(console.log),
    import('#apps/server/modules.ts'),
    import('#apps/server/main.ts'),
  ])
  // Read once, so that the server's first start finds its code compiled.
  await loadInstalledModules()
  console.log(built === 'fresh' ? '页面已是最新。' : '页面已构建。')
})
