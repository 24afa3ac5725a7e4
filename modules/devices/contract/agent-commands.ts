/**
 * What each command of the agent takes as `input` and returns as `data`. Paths are those of the site's
 * computer, absolute, and stay inside the folders of its local list.
 */
import type { DirectoryEntry, ProcessRow, PushFileInput, ServiceRow } from './agent-protocol.ts'

export interface KillProcessInput {
  readonly pid: number
  /** The start time from the list: refused where the number now belongs to another process. */
  readonly startedAt?: string
}

export interface ServiceInput {
  readonly name: string
}

export interface RunFileInput {
  readonly path: string
  readonly arguments?: readonly string[]
}

export interface PathInput {
  /** Empty for a listing: the folders that the local list allows. */
  readonly path: string
}

export interface RunShellInput {
  readonly commandLine: string
}

export interface UpdateAgentInput {
  readonly link: string
  readonly size: number
  readonly sha256: string
  /** Base64, of `packageText(sha256)` with the installation's update key. */
  readonly signature: string
}

export interface DeviceCommandInput {
  /** The driver's own word: `open`, `status` … */
  readonly action: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** What is signed for a package of the agent, under a purpose of its own. */
export const packageText = (sha256: string): string => `anju-agent-package:${sha256}`

export interface AgentCommandInputs {
  readonly listProcesses: object
  readonly killProcess: KillProcessInput
  readonly listServices: object
  readonly startService: ServiceInput
  readonly stopService: ServiceInput
  readonly restartService: ServiceInput
  readonly runFile: RunFileInput
  readonly deleteFile: PathInput
  readonly listDirectory: PathInput
  readonly restartMachine: object
  readonly runShell: RunShellInput
  readonly pushFile: PushFileInput
  readonly updateAgent: UpdateAgentInput
  readonly device: DeviceCommandInput
}

/** `CommandResult.data` of the commands that list. Where not all rows fit a message, `output` says so. */
export interface AgentListings {
  readonly listProcesses: readonly ProcessRow[]
  readonly listServices: readonly ServiceRow[]
  readonly listDirectory: readonly DirectoryEntry[]
}

/** Events of the agent itself (`deviceId` 0). */
export const agentEvents = {
  /** `data`: count, firstSeq, lastSeq. The buffer was full: the oldest that are not critical were deleted. */
  eventsDropped: 'eventsDropped',
  /** `data`: driver, reason. It is started again with backoff. */
  driverStopped: 'driverStopped',
  /** `data`: driver. It is there again after it had stopped. */
  driverStarted: 'driverStarted',
} as const

/** Events of a device that mean the same of every driver. */
export const deviceEvents = {
  /** `data`: serial. Another box, or one that has lost its memory: the driver has emptied it. */
  deviceReset: 'deviceReset',
} as const
