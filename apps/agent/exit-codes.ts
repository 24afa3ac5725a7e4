/** The exit codes of this program, for the service manager: 77 and 78 need a person, not a restart. */
export const exitCodes = {
  stopped: 0,
  failed: 1,
  folderInUse: 73,
  /** Only of the inner program: the launcher starts the updated program. */
  update: 75,
  /** The server does not know the key (any more). */
  refused: 77,
  /** Not paired, or a wrong argument or setting. */
  configuration: 78,
} as const

/** What a person has to mend; printed as it is. */
export class AgentError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.configuration) {
    super(message)
    this.exitCode = exitCode
  }
}

export const log = (message: string): void => console.log(`${new Date().toISOString()} ${message}`)
