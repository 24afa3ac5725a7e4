import type { Id } from '#kit/contract/field.ts'

/**
 * What the agent on the site's computer and the server say to each other: one JSON object per WebSocket
 * message at `/api/agent`. The agent always connects outward. Both sides may repeat any message after a lost
 * connection: ids, sequence numbers and versions make each of them count once.
 */
export const agentProtocol = 1

export const agentPath = '/api/agent'
export const pairingPath = '/api/agent/pair'

/** The agent sends a beat this often; without one for three times as long its gateway is offline. */
export const heartbeatMs = 15_000
export const offlineAfterMs = 3 * heartbeatMs
export const maxMessageBytes = 1_000_000
/** The bytes of an output that are kept: half of its beginning, half of its end, a note in between. */
export const maxOutputBytes = 256_000
/** A longer output is kept whole up to this (RMT-2): it comes in parts before its result. */
export const maxWholeOutputBytes = 8_000_000
export const maxPartBytes = 128_000
export const maxEventsPerMessage = 200

/** What is signed with the agent's Ed25519 key: the server's challenge, under a purpose of its own. */
export const challengeText = (nonce: string): string => `anju-agent-sign-in:${nonce}`

export type AgentCommand =
  | 'listProcesses'
  | 'killProcess'
  | 'listServices'
  | 'startService'
  | 'stopService'
  | 'restartService'
  | 'runFile'
  | 'deleteFile'
  | 'listDirectory'
  | 'restartMachine'
  | 'runShell'
  | 'pushFile'
  | 'updateAgent'
  | 'device'

/** A device as the agent must drive it; `settings` are the driver's own. */
export interface DeviceConfig {
  readonly id: Id
  readonly devNo: string
  readonly driver: string
  readonly address: string
  readonly settings: Readonly<Record<string, unknown>>
  /** Changes with any of the above. */
  readonly version: number
}

export interface AgentEvent {
  /** 1, 2, 3 … over the life of the agent's key; the server takes each number once, in order. */
  readonly seq: number
  /** 0: of the agent itself. */
  readonly deviceId: Id
  /** The device's number on site, where it has one: for an event whose device the server does not know. */
  readonly devNo?: string
  /** ISO instant of the site's clock. */
  readonly at: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  /**
   * How long ago it came in on site, by a clock that nobody sets, and what the site's clock was then: how
   * wrong that was is known from the two. Absent where the machine was started again since.
   */
  readonly ageMs?: number
  readonly recordedAt?: string
}

/** What a device has to hold: a card, a face, a plate. `version` grows with each change of it. */
export interface DesiredItem {
  readonly key: string
  readonly version: number
  readonly action: 'put' | 'remove'
  readonly data?: Readonly<Record<string, unknown>>
}

export interface ReportedItem {
  readonly key: string
  readonly version: number
  readonly outcome: 'done' | 'failed'
  readonly reason?: string
}

export const commandOutcomes = ['done', 'failed', 'timedOut'] as const
export type CommandOutcomeKind = (typeof commandOutcomes)[number]

/** Anything else an agent may say is a failure. */
export const commandOutcomeOf = (value: unknown): CommandOutcomeKind =>
  commandOutcomes.find(outcome => outcome === value) ?? 'failed'

/** Of a command that was on its way for longer than it may take (RMT-1): nobody waits for it any more. */
export const expiredReason = '已过期未执行'

export interface CommandResult {
  readonly taskId: Id
  /** `timedOut`: stopped at its time limit (RMT-1). */
  readonly outcome: CommandOutcomeKind
  /** The site's answer is that it is not to be had as asked: nothing has failed. */
  readonly isRefused?: boolean
  /** Rows of a listing, or what the device answered. */
  readonly data?: unknown
  /** What a program wrote, as text. */
  readonly output?: string
  /** As text for the operator, where it failed. */
  readonly reason?: string
  /** For what `output` shows in part: the whole, which was sent in parts. */
  readonly whole?: WholeOutput
}

export interface WholeOutput {
  /** Under which the parts were sent: a new one each time they are sent from the beginning. */
  readonly attempt: string
  readonly parts: number
  /** The hash of all bytes, in hex. */
  readonly sha256: string
}

/** Names one part: of a task, of one attempt to send its output, counted from 0. */
export interface PartName {
  readonly taskId: Id
  readonly attempt: string
  readonly part: number
}

/** Names one reading: by the device's own number of its record, which the passage has as well. */
export interface ReadingName {
  readonly deviceId: Id
  readonly recordKey: string
}

export type AgentMessage =
  | {
      readonly kind: 'hello'
      readonly protocol: number
      /** SHA-256 of the public key's DER bytes, in hex. */
      readonly keyId: string
      /** Base64, of `challengeText(nonce)`. */
      readonly signature: string
      readonly version: string
      readonly hostName: string
      readonly platform: string
      /** What the local list allows. */
      readonly allowed: readonly AgentCommand[]
      readonly drivers: readonly string[]
      /** ISO instant of the site's clock: the server keeps the difference. */
      readonly clock: string
    }
  | {
      readonly kind: 'beat'
      readonly clock: string
      readonly devices: readonly {
        readonly id: Id
        readonly isOnline: boolean
        readonly kernelVersion?: string
      }[]
      /** Events that wait on the site's disk. */
      readonly bufferedEvents: number
      readonly freeBytes: number
    }
  | { readonly kind: 'received'; readonly taskId: Id }
  | { readonly kind: 'progress'; readonly taskId: Id; readonly done: number; readonly total: number }
  | ({ readonly kind: 'result' } & CommandResult)
  /** `bytes` in base64. Only to a server that takes them; the next one follows its answer. */
  | ({ readonly kind: 'outputPart'; readonly bytes: string } & PartName)
  | { readonly kind: 'events'; readonly events: readonly AgentEvent[] }
  /** A code whose entrances are counted, before a reader: only to a server that decides (`takesReadings`). */
  | ({ readonly kind: 'reading'; readonly key: string } & ReadingName)
  | { readonly kind: 'reported'; readonly deviceId: Id; readonly items: readonly ReportedItem[] }

export type ServerMessage =
  | { readonly kind: 'challenge'; readonly nonce: string }
  | {
      readonly kind: 'welcome'
      readonly gatewayId: Id
      readonly gateNo: string
      readonly name: string
      /** The last event of this agent that is stored: what was sent up to it may be deleted. */
      readonly ackedSeq: number
      readonly clock: string
      /** By a clock of the connection that nobody sets, in ms; also of `beatAck` and `command`. */
      readonly sentMs?: number
      /** An earlier server knows no `outputPart`. */
      readonly takesParts?: boolean
      /** An earlier server knows no `reading`. */
      readonly takesReadings?: boolean
      readonly devices: readonly DeviceConfig[]
    }
  | { readonly kind: 'devices'; readonly devices: readonly DeviceConfig[] }
  | {
      readonly kind: 'command'
      readonly taskId: Id
      readonly command: AgentCommand
      /** 0: for the site's computer itself. */
      readonly deviceId: Id
      readonly input: Readonly<Record<string, unknown>>
      /** How long it may still take; it is not started later, however long it was on its way. */
      readonly timeoutMs: number
      readonly sentMs?: number
    }
  | { readonly kind: 'cancel'; readonly taskId: Id }
  /** The result is stored: the agent may forget it. */
  | { readonly kind: 'resultAck'; readonly taskId: Id }
  /** `isRefused`: no more of this attempt is taken; the result may follow. */
  | ({ readonly kind: 'outputPartAck'; readonly isRefused?: boolean } & PartName)
  | { readonly kind: 'eventsAck'; readonly seq: number }
  | { readonly kind: 'desired'; readonly deviceId: Id; readonly items: readonly DesiredItem[] }
  /** `usedTimes`: what is counted of the code with this entrance. */
  | ({
      readonly kind: 'readingAnswer'
      readonly isOpen: boolean
      readonly usedTimes?: number
      readonly reason?: string
    } & ReadingName)
  | { readonly kind: 'beatAck'; readonly clock: string; readonly sentMs?: number }

/** Why the server closes an agent's connection. */
export const agentClose = {
  badMessage: 4400,
  /** Unknown key, revoked gateway, wrong signature: the agent asks to be paired again. */
  refused: 4403,
  /** The same agent has reconnected. */
  replaced: 4409,
  protocol: 4426,
  tooMany: 4429,
} as const

/** `POST /api/agent/pair`: the code that the screen shows for ten minutes, and the agent's own public key. */
export interface PairingRequest {
  readonly code: string
  /** DER (SPKI), base64. */
  readonly publicKey: string
  readonly hostName: string
  readonly platform: string
  readonly version: string
}

/** 200 with `keyId`, else 4xx with a message in the operator's words. */
export type PairingAnswer =
  | {
      readonly ok: true
      readonly keyId: string
      readonly gateNo: string
      readonly name: string
      /** Ed25519, DER (SPKI), base64: signs packages for `updateAgent`. */
      readonly updateKey: string
    }
  | { readonly ok: false; readonly message: string }

/**
 * Input of `pushFile`: the agent fetches it, checks size and hash, and only then puts it in its place
 * (RMT-4).
 */
export interface PushFileInput {
  readonly action: 'file' | 'kernel' | 'package'
  readonly link: string
  readonly name: string
  readonly size: number
  readonly sha256: string
  readonly directory: string
}

export interface DirectoryEntry {
  readonly name: string
  readonly size: number
  /** ISO instant. */
  readonly modified: string
  /** A link is shown as itself: what it leads to may be outside of what the site allows. */
  readonly type: 'folder' | 'file' | 'drive' | 'link'
}

export interface ProcessRow {
  readonly pid: number
  readonly name: string
  readonly user: string
  readonly memoryBytes: number
  readonly cpuPercent: number
  readonly startedAt: string
}

export interface ServiceRow {
  readonly name: string
  readonly title: string
  readonly state: 'running' | 'stopped' | 'failed' | 'other'
}
