import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { clockScope } from '#kit/server/scope.ts'
import { saveDataDomain } from '#modules/accounts/contract/data-domain.ts'
import { smsReportKey } from '#modules/accounts/server/public.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { ChannelFault, type ChannelFaultKind } from './channel-fault.ts'
import { channelOf, registerChannel, type Channel, type ChannelMessage } from './channels.ts'
import { defineMessageSource, type MessageOutcome } from './message-source.ts'
import { queueMessages, type QueueInput } from './queue.ts'
import { reportEndpoints } from './report-endpoint.ts'

const sources = ['messaging.test', 'messaging.testSale'] as const
const outcomes: MessageOutcome[] = []

for (const key of sources) {
  defineMessageSource({
    key,
    label: '测试',
    purpose: key === 'messaging.test' ? 'service' : 'marketing',
    onOutcomes: async (_tx, _scope, all) => void outcomes.push(...all),
  })
}

/** What a company has of short messages, and what its messages and ledger come to. */
export interface QuotaFigures {
  readonly total: number
  readonly used: number
  readonly frozen: number
  readonly usedByMessages: number
  readonly frozenByMessages: number
  readonly usableByLedger: number
}

/** A company that sends over a channel whose answers the test gives. */
export class MessagingSite {
  readonly t: GoldenApp
  readonly me: CallOptions
  readonly outcomes = outcomes
  readonly sent: ChannelMessage[] = []
  /** While a message is with the provider. */
  whileSending: (message: ChannelMessage) => Promise<unknown> = async () => undefined
  /** What becomes of the next messages; delivered to the provider by default. */
  answer: (message: ChannelMessage) => ChannelFaultKind | 'ok' | 'crash' = () => 'ok'
  readonly #real: Channel
  #biz = 0

  private constructor(t: GoldenApp, me: CallOptions) {
    this.t = t
    this.me = me
    this.#real = channelOf('sms')
    registerChannel('sms', {
      ...this.#real,
      perSecond: () => 5000,
      send: (_, message) => this.#send(message),
    })
  }

  static async open(): Promise<MessagingSite> {
    const t = await openGoldenApp()
    return new MessagingSite(t, await t.owner)
  }

  async close(): Promise<void> {
    registerChannel('sms', this.#real)
    await this.t.close()
  }

  async #send(message: ChannelMessage): Promise<{ ref: string }> {
    await this.whileSending(message)
    const answer = this.answer(message)
    // What the provider took, whether or not its answer arrives.
    if (answer === 'ok' || answer === 'unclear' || answer === 'crash') {
      this.sent.push(message)
    }
    if (answer === 'ok') return { ref: `r${message.ownerId}-${message.id}` }
    throw answer === 'crash' ? new Error('crash') : new ChannelFault(answer, `provider: ${answer}`)
  }

  scope = () => clockScope(this.t.app, this.t.ownerId)
  now = () => fromInstant(this.t.app.clock())
  db = (): Db => this.t.database.reader(this.t.ownerId)

  /** A manager who may do this and no more, in one project. */
  async addClerkOfProject(projectCode: string, permissions: readonly string[]): Promise<CallOptions> {
    const { loginCode, as } = await this.t.addClerk(permissions)
    const clerk = await this.db().one<{ id: Id }>(sql`select id from manager where login_code = ${loginCode}`)
    const places = [{ projectCode, buildCodes: [] }]
    await this.t.call(
      saveDataDomain,
      { managerId: defined(clerk).id, allProject: false, projectCodes: [projectCode], places },
      this.me,
    )
    return as
  }

  async queue(to: QueueInput['to'], values: Partial<QueueInput> = {}) {
    const bizId = asId(++this.#biz)
    const result = await this.t.database.tx(this.t.ownerId, tx =>
      queueMessages(
        { tx, app: this.t.app, scope: this.scope(), now: this.now() },
        {
          source: sources[0],
          bizId,
          channel: 'sms',
          to,
          message: { title: '停水', text: '{name}：明日停水。' },
          ...values,
        },
      ),
    )
    return { bizId, ...result }
  }

  numbers = (...mobiles: string[]) => ({ scopeType: 'numbers', scopeJson: { mobiles } }) as const

  messages(bizId: Id) {
    return this.db().rows<{
      id: Id
      address: string
      state: number
      quota: number
      segments: number
      content: string
      failReason?: string
    }>(sql`
      select id, address, state, quota, segments, content, fail_reason
      from outgoing_message
      where owner_id = ${this.t.ownerId} and biz_id = ${bizId} and source = any(${[...sources]}::text[])
      order by id
    `)
  }

  async post(index: 0 | 1, body: unknown, key?: string) {
    const text = JSON.stringify(body)
    return defined(reportEndpoints[index]).run(
      {
        params: { key: key ?? (await smsReportKey(this.t.app)) },
        query: new URLSearchParams(),
        headers: {},
        body: text,
        bytes: Buffer.from(text),
        ip: '127.0.0.1',
        agent: '',
        origin: '',
      },
      this.t.app,
    )
  }

  /** SMS-2: reserved + used + usable is all that was bought, by each of three ways to count. */
  async quota(): Promise<QuotaFigures> {
    const { ownerId } = this.t
    const row = await this.db().one<QuotaFigures>(sql`
      select a.total_count as total, a.used_count as used, a.frozen_count as frozen,
        coalesce(m.used, 0)::integer as used_by_messages, coalesce(m.frozen, 0)::integer as frozen_by_messages,
        l.usable::integer as usable_by_ledger
      from sms_account a,
        (
          select sum(segments) filter (where quota = 20) as used, sum(segments) filter (where quota = 10) as frozen
          from outgoing_message
          where owner_id = ${ownerId}
        ) m,
        (select sum(qty) filter (where change_type <> 40) as usable from sms_ledger where owner_id = ${ownerId}) l
      where a.owner_id = ${ownerId}
    `)
    return defined(row)
  }
}
