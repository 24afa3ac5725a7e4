import { invalidInput, refuse, refuseField } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDaysToMoment, type Moment } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById, update } from '#kit/server/table.ts'
import { audienceFaults, type Audience } from '../contract/audience.ts'
import type { MessagePurpose } from '../contract/choices.ts'
import {
  cancelPropertySms,
  countMassSms,
  exportSmsTasks,
  propertySms,
  propertySmses,
  resendPropertySms,
  sendPropertySms,
  type PropertySms,
} from '../contract/task.ts'
import { smsTemplate } from '../contract/template.ts'
import { messageTextOf, optOutHint } from '../domain/opt-out.ts'
import { segmentsOf } from '../domain/segments.ts'
import { nextMarketingMoment } from '../domain/window.ts'
import { smsSignName } from './message-text.ts'
import { assertVariables } from './number-file-store.ts'
import { cancelMessages, queueMessages, type QueueInput } from './queue.ts'
import { requireMissed } from './missed-receivers.ts'
import { countOf, countRecipientsOf } from './task-count.ts'
import { massSource, refreshTask } from './task-figures.ts'

/** How far ahead a task may be timed. */
const maxDaysAhead = 90

type Draft = NonNullable<typeof sendPropertySms.input.T>

const audienceOf = ({ scopeType, scopeJson }: Pick<Draft, 'scopeType' | 'scopeJson'>): Audience => ({
  scopeType,
  ...(scopeJson ? { scopeJson } : {}),
})

function assertDraft(draft: Draft, now: Moment): void {
  const faults = audienceFaults(draft)
  if (faults.length) throw invalidInput(faults)
  const { sendTime } = draft
  if (sendTime !== undefined && sendTime < now) {
    refuseField('SendTime', '定时应晚于现在；立即发送请不填')
  }
  if (sendTime !== undefined && sendTime > addDaysToMoment(now, maxDaysAhead)) {
    refuseField('SendTime', `定时最多提前 ${maxDaysAhead} 天`)
  }
}

interface Wording {
  readonly text: string
  /** That of the template, where one is sent. */
  readonly purpose: MessagePurpose
  readonly template?: string | undefined
  readonly params?: Readonly<Record<string, string>> | undefined
}

const variable = /\{(\w+)\}/g

const maxText = defined(propertySms.fields.content.max)

/** SMS-3: the text of an SMS that advertises says how to opt out. */
function ownWordingOf({ content, channel, purpose }: Draft): Wording {
  if (!content) return refuseField('Content', '请填写内容，或选择模板')
  const text = messageTextOf(content, channel, purpose)
  if (text.length > maxText)
    return refuseField('Content', `营销短信含“${optOutHint}”不能超过 ${maxText} 个字`)
  return { text, purpose }
}

/** What of a template goes to the provider: its number, and its variables with their values. */
async function wordingOf(db: Db, scope: Scope, draft: Draft): Promise<Wording> {
  if (!draft.templateId) return ownWordingOf(draft)
  const template = await requireById(db, smsTemplate, scope, draft.templateId)
  const { content, providerCode, purpose, state, templateName } = template
  if (state !== 'approved')
    return refuseField('TemplateID', `模板「${templateName}」未通过审核，请登记审核结果或更换模板`)
  const names = [...content.matchAll(variable)].map(match => match[1] ?? '')
  const params = Object.fromEntries(names.map(name => [name, `{${name}}`]))
  return {
    text: messageTextOf(content, draft.channel, purpose),
    purpose,
    template: providerCode,
    params: providerCode ? params : undefined,
  }
}

async function createTask(
  c: WriteContext,
  draft: Draft,
  to: QueueInput['to'],
  resendOf?: Id,
): Promise<PropertySms> {
  const { tx, scope, now } = c
  const wording = await wordingOf(tx, scope, draft)
  const { channel } = draft
  const { purpose, ...words } = wording
  const wanted = draft.sendTime ?? now
  const sendTime = purpose === 'marketing' ? nextMarketingMoment(wanted) : wanted
  const task = await insert(tx, propertySms, scope, {
    ...draft,
    purpose,
    content: wording.text,
    sendTime,
    numberCount: 0,
    segmentPerMsg: channel === 'sms' ? segmentsOf(wording.text, smsSignName()) : 0,
    totalSegments: 0,
    excludedCount: 0,
    successCount: 0,
    failCount: 0,
    unclearCount: 0,
    refuseCount: 0,
    operatorName: scope.name,
    resendOf,
    state: 'waiting',
  })
  const { queued, segments, excluded } = await queueMessages(c, {
    source: massSource.key,
    bizId: task.id,
    channel,
    purpose,
    to,
    message: { title: draft.taskName, ...words },
    sendAt: sendTime,
  })
  if (!queued) return refuse('没有可送达的接收人，请调整发送范围')
  await audit(tx, scope, [
    {
      action: 'insert',
      entity: propertySms.name,
      entityId: task.id,
      after: { taskName: draft.taskName, channel, numberCount: queued, totalSegments: segments },
    },
  ])
  return update(tx, propertySms, scope, task.id, {
    numberCount: queued,
    totalSegments: segments,
    excludedCount: excluded.reduce((sum, { count }) => sum + count, 0),
  })
}

export const taskServer = crudHandlers(propertySmses, {
  byHand: ['get'],
  filter: (_, { scope }) => [ownTasks(scope)],
  export: exportSmsTasks,
})

/** Who may not see the whole company sees the tasks that they sent. */
const ownTasks = ({ domain, operatorId }: Scope) =>
  domain.all ? sql`true` : sql`t.create_by = ${operatorId}`

async function requireTask(db: Db, scope: Scope, id: Id, lock = false): Promise<PropertySms> {
  const found = await db.one(sql`
    select 1 as found
    from property_sms t
    where t.owner_id = ${scope.ownerId} and t.id = ${id} and ${ownTasks(scope)}
  `)
  if (!found) return refuse('短信任务不存在，或不是你发送的')
  return requireById(db, propertySms, scope, id, { lock })
}

export const taskHandlers = [
  reads(propertySmses.get, ({ id }, { db, scope }) => requireTask(db, scope, id)),
  reads(countMassSms, async (input, { db, scope, now }) => {
    const { channel = 'sms', content = '', templateId } = input
    const faults = audienceFaults(input)
    if (faults.length) throw invalidInput(faults)
    const template = templateId ? await requireById(db, smsTemplate, scope, templateId) : undefined
    const text = template?.content ?? content
    const purpose = template?.purpose ?? input.purpose ?? 'service'
    const worded = { text, template: template?.templateName }
    await assertVariables(db, scope, audienceOf(input), worded, now)
    const found = await countRecipientsOf(db, scope, audienceOf(input), [channel], purpose, text)
    const own = defined(found.channels[0])
    return {
      people: found.people,
      numberCount: own.reachable,
      duplicateCount: countOf(own, 'duplicate'),
      blackCount: countOf(own, 'blackListed'),
      segmentPerMsg: found.largest,
      totalSegments: found.segments,
      usableCount: found.usable,
      excluded: own.excluded,
      samples: found.samples,
    }
  }),
  writes(sendPropertySms, async (draft, c) => {
    assertDraft(draft, c.now)
    const audience = audienceOf(draft)
    const template = draft.templateId
      ? await requireById(c.tx, smsTemplate, c.scope, draft.templateId)
      : undefined
    const worded = { text: template?.content ?? draft.content ?? '', template: template?.templateName }
    await assertVariables(c.tx, c.scope, audience, worded, c.now)
    return createTask(c, draft, audience)
  }),
  writes(cancelPropertySms, async ({ id }, c) => {
    const { tx, scope } = c
    // Not locked: who books outcomes holds their messages, and waits for the task.
    const task = await requireTask(tx, scope, id)
    const count = await cancelMessages(c, massSource.key, id)
    if (!count) return refuse('没有待发送的短信，不需要停止')
    await audit(tx, scope, [
      {
        action: 'state',
        entity: propertySms.name,
        entityId: id,
        before: { state: task.state },
        after: { cancelled: count },
      },
    ])
    return refreshTask(tx, scope, id)
  }),
  writes(resendPropertySms, async ({ id }, c) => {
    const task = await requireTask(c.tx, c.scope, id, true)
    if (task.state === 'waiting' || task.state === 'sending') return refuse('任务仍在发送，结束后才能重发')
    const missed = await requireMissed(c.tx, c.scope, id)
    const { taskName, channel, purpose, templateId, content, scopeType, scopeJson } = task
    const draft = {
      taskName: `${taskName}（重发）`.slice(0, 60),
      channel,
      purpose,
      templateId,
      content,
      scopeType,
      scopeJson,
    }
    return createTask(c, draft, missed, id)
  }),
]
