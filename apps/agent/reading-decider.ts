import type { Id } from '#kit/domain/id.ts'
import type { AgentMessage } from '#modules/devices/contract/agent-protocol.ts'
import { justOpenedText, usedUpText } from '#modules/devices/contract/code-reading.ts'
import type { CodeJournal, LocalDecision } from './code-journal.ts'
import type { CodeReading, ReadingAnswer } from './drivers/driver.ts'
import { errorText } from './error-text.ts'
import { log } from './exit-codes.ts'
import type { ReceivedMessage } from './server-message.ts'

interface DeciderOptions {
  readonly journal: CodeJournal
  /** False where there is no line. */
  readonly send: (message: AgentMessage) => boolean
}

interface Waiting {
  readonly deviceId: Id
  readonly recordKey: string
  readonly answer: (answer: ReadingAnswer | undefined) => void
}

type ServerAnswer = Extract<ReceivedMessage, { kind: 'readingAnswer' }>

const localReasons: Readonly<Record<Exclude<LocalDecision, 'opens'>, string>> = {
  usedUp: usedUpText,
  justOpened: justOpenedText,
}

const isOf = (waiting: Waiting, deviceId: Id, recordKey: string): boolean =>
  waiting.deviceId === deviceId && waiting.recordKey === recordKey

/**
 * Has the entrances of codes decided (VIS-2): by the server, which counts for all gates, and without a line
 * here, where no other gateway has a door of the code.
 */
export class ReadingDecider {
  readonly #options: DeciderOptions
  readonly #waiting = new Set<Waiting>()
  #isServerAsked = false

  constructor(options: DeciderOptions) {
    this.#options = options
  }

  begin(gatewayId: Id, isServerAsked: boolean): void {
    this.#isServerAsked = isServerAsked
    this.#options.journal.setGateway(gatewayId)
  }

  /** The line is away: nothing that is asked is answered any more. */
  end(): void {
    this.#isServerAsked = false
    for (const { answer } of this.#waiting) {
      answer(undefined)
    }
  }

  receive({ deviceId, recordKey, ...answer }: ServerAnswer): void {
    for (const waiting of this.#waiting) {
      if (isOf(waiting, deviceId, recordKey)) {
        waiting.answer(answer)
      }
    }
  }

  /** What cannot be written down does not open. */
  async decide(deviceId: Id, reading: CodeReading): Promise<ReadingAnswer> {
    try {
      return await this.#decide(deviceId, reading)
    } catch (error) {
      log(`进入次数未能记录：${errorText(error)}`)
      return { isOpen: false, reason: '网关未能记录，请门岗放行' }
    }
  }

  async #decide(deviceId: Id, reading: CodeReading): Promise<ReadingAnswer> {
    const answer = await this.#askServer(deviceId, reading)
    if (!answer) return this.#decideAlone(deviceId, reading)
    if (answer.isOpen && answer.usedTimes !== undefined) {
      this.#options.journal.note(deviceId, reading, answer.usedTimes)
    }
    return answer
  }

  giveBack(deviceId: Id, recordKey: string): void {
    this.#options.journal.giveBack(deviceId, recordKey)
  }

  /** Nothing where there is no line. */
  async #askServer(deviceId: Id, reading: CodeReading): Promise<ReadingAnswer | undefined> {
    const { key, recordKey, waitsUntil } = reading
    const { promise, resolve } = Promise.withResolvers<ReadingAnswer | undefined>()
    const waiting = { deviceId, recordKey, answer: resolve }
    this.#waiting.add(waiting)
    const late = { isOpen: false, reason: '服务器未及时答复，请重试或请门岗放行' }
    const timer = setTimeout(() => resolve(late), Math.max(waitsUntil - Date.now(), 0))
    try {
      const isSent = this.#isServerAsked && this.#options.send({ kind: 'reading', deviceId, recordKey, key })
      return isSent ? await promise : undefined
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(waiting)
    }
  }

  #decideAlone(deviceId: Id, reading: CodeReading): ReadingAnswer {
    const { journal } = this.#options
    const { count } = reading
    if (count?.gatewayId !== journal.gatewayId)
      return { isOpen: false, reason: '网关与服务器断开，请门岗放行' }
    const decision = journal.decide(deviceId, reading, count)
    return decision === 'opens' ? { isOpen: true } : { isOpen: false, reason: localReasons[decision] }
  }
}
