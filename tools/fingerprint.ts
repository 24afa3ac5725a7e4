import { startFingerprintSimulator } from './fingerprint-service.ts'
import { onShutdown, parseArguments, parsePort, runCommand } from './command-line.ts'

/** The port that browsers ask (0§7). */
const servicePort = '22003'
const USAGE =
  'npm run fingerprint -- [--port 22003] [--presses 3] [--faults 10009,open:10007] [--press-ms 900]'

/** `10009` for a press, `open:10007` for a command. */
const faultsOf = (text: string): readonly (readonly [command: string, code: number])[] =>
  text
    .split(',')
    .filter(Boolean)
    .map(fault => {
      const [code, command = ''] = fault.split(':').toReversed()
      return [command, Number(code)]
    })

const codesByCommand = (faults: ReturnType<typeof faultsOf>): Record<string, number[]> =>
  Object.fromEntries(
    [...Map.groupBy(faults, ([command]) => command)].map(([command, all]) => [
      command,
      all.map(([, code]) => code),
    ]),
  )

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
  const { '': faults = [], ...refusals } = codesByCommand(faultsOf(values.faults))
  const simulator = await startFingerprintSimulator({
    port: parsePort(values.port),
    presses: Number(values.presses),
    faults,
    refusals,
    pressMs: Number(values['press-ms']),
  })
  console.log(`指纹服务模拟器已启动：ws://127.0.0.1:${simulator.port}`)
  onShutdown(() => simulator.close())
  await new Promise<void>(() => {})
})
