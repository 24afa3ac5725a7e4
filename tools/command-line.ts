import { errorMessage } from '#kit/server/database-error.ts'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { settings } from '#kit/server/settings.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'

/** Runs a command: an error that a person can mend is printed as its message, any other with its trace. */
export async function runCommand(run: () => Promise<number | void>): Promise<void> {
  try {
    process.exitCode = (await run()) ?? 0
  } catch (error) {
    console.error(error instanceof StartupError ? error.message : error)
    process.exitCode = 1
  }
}

type OptionConfigs = NonNullable<ParseArgsConfig['options']>

/** The command's options and words; refuses unknown ones with the usage line. */
export function parseArguments<T extends OptionConfigs>(options: T, usage: string) {
  try {
    return parseArgs({ options, allowPositionals: true, strict: true })
  } catch (error) {
    const option = /'([^']+)'/.exec(errorMessage(error))?.[1] ?? ''
    throw new StartupError(`参数 ${option} 不认识或缺少内容。\n用法：${usage}`)
  }
}

/** The data folder: --data, else DATA_DIR, else ./data. */
export function resolveDataDir(value: string | undefined): string {
  return value ?? settings.dataDir.read()
}

/** The port: --port, else PORT, else 8100. */
export function parsePort(value: string | undefined): number {
  if (value === undefined) return settings.port.read()
  const port = Number(value)
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new StartupError(`端口 ${value} 不对，应为 1 到 65535 的整数。`)
  return port
}

/**
 * Calls `end` at the first Ctrl-C, SIGTERM or SIGHUP, and leaves at once at the second. One Ctrl-C under npm
 * arrives twice (from the terminal and from npm): within a second it counts once.
 */
export function onShutdown(end: () => Promise<void>): void {
  let firstSignalAt = 0
  const onSignal = () => {
    const now = Date.now()
    if (firstSignalAt) {
      if (now - firstSignalAt > 1000) {
        process.exit(130)
      }
      return
    }
    firstSignalAt = now
    end().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, onSignal)
  }
}
