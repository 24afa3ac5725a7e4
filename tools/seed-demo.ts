import { seedDemo } from './database.ts'
import { runCommand } from './command-line.ts'

/** Fills the migrated, empty database of the first argument with the demo; its files go to the second. */
await runCommand(async () => {
  const [url = '', dataDir = ''] = process.argv.slice(2)
  await seedDemo(url, { fill: true, alone: false, dataDir })
})
