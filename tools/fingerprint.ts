import { startFingerprintSimulator } from './fingerprint-service.ts'
import { onShutdown, parseArguments, parsePort, runCommand } from './command-line.ts'

/** The port that browsers ask (0§7). */
const servicePort = '22003'
const USAGE = 'npm run fingerprint -- [--port 22003] [--presses 3] [--faults 10009,10011] [--press-ms 900]'

const numbersOf = (text: string): number[] => text.split(',').filter(Boolean).map(Number)

await runCommand(async () => {
  const { values } = parseArguments(
    {
      port: { type: 'string', default: servicePort },
      presses: { type: 'string', default: '3' },
      faults: { type: 'string', default: '' },
      'press-ms': { type: 'string', default: '900' },
    },
    USAGE,
  )
  const simulator = await startFingerprintSimulator({
    port: parsePort(values.port),
    presses: Number(values.presses),
    faults: numbersOf(values.faults),
    pressMs: Number(values['press-ms']),
  })
  console.log(`指纹服务模拟器已启动：ws://127.0.0.1:${simulator.port}`)
  onShutdown(() => simulator.close())
  await new Promise<void>(() => {})
})
