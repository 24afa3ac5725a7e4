import { buildWeb } from './build-web.ts'
import { parseArguments, runCommand } from './command-line.ts'

/** Builds the web pages ahead of the first start, for installations whose server may not write its folder. */
await runCommand(async () => {
  parseArguments({}, 'npm run build')
  const built = await buildWeb(console.log)
  console.log(built === 'fresh' ? '页面已是最新。' : '页面已构建。')
})
