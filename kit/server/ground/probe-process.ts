// A server process of the probe, for tests that kill one: `node probe-process.ts URL DATADIR`. Says `ready`
// when it serves, ends in order on SIGTERM.
import { openProbe } from './probe.ts'

const [databaseUrl, dataDir] = process.argv.slice(2) as [string, string]
const server = await openProbe(databaseUrl, { dataDir })

process.once('SIGTERM', () => {
  void server.close().then(() => process.exit(0))
})

process.stdout.write('ready\n')
