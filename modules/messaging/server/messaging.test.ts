import { afterAll, beforeAll, expect, it } from 'vitest'
import { asId, type Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { clockScope } from '#kit/server/scope.ts'
import { deliveredSms } from '#modules/accounts/server/sms-simulator.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import type { Audience } from '../contract/audience.ts'
import { dispatchMessages } from './dispatcher.ts'
import { defineMessageSource, type MessageOutcome } from './message-source.ts'
import { messageFigures, queueMessages } from './queue.ts'
import { countAudience, sampleAudience } from './reach.ts'

const projectCode = 'GOLD0001'
let t: GoldenApp
let bizId: Id = 0
const nextBiz = (): Id => (bizId = asId(bizId + 1))
const outcomes: MessageOutcome[] = []

const source = defineMessageSource({
  key: 'messaging.test',
  label: '测试',
  purpose: 'service',
  onOutcomes: async (_tx, _scope, all) => void outcomes.push(...all),
})

beforeAll(async () => {
  t = await openGoldenApp()
})

afterAll(() => t?.close())

const scope = () => clockScope(t.app, t.ownerId)
const db = () => t.database.reader(t.ownerId)
const ofProject: Audience = { scopeType: 'projects', scopeJson: { projectCodes: [projectCode] } }

const send = (to: Parameters<typeof queueMessages>[1]['to'], values: object = {}) =>
  t.database.tx(t.ownerId, tx =>
    queueMessages(
      { tx, app: t.app, scope: scope(), now: fromInstant(t.app.clock()) },
      {
        source: source.key,
        bizId: nextBiz(),
        channel: 'sms',
        to,
        message: { title: '停水', text: '{name}：明日停水。' },
        ...values,
      },
    ),
  )

it('an audience is counted by channel, with those who fall out and why', async () => {
  const { people, channels } = await countAudience(db(), scope(), ofProject, ['sms', 'wechat'])
  expect(people).toBeGreaterThan(20)
  for (const { reachable, excluded } of channels) {
    expect(reachable + excluded.reduce((sum, each) => sum + each.count, 0)).toBe(people)
  }
  const sample = await sampleAudience(db(), scope(), ofProject, 'sms', 10)
  expect(sample).toHaveLength(10)
})

it('queued messages go out once, and their modules hear of it', async () => {
  const [first] = await sampleAudience(db(), scope(), ofProject, 'sms', 1)
  const named = { kind: 'resident', id: first?.receiverId ?? 0 } as const
  expect(await send([named])).toMatchObject({ queued: 1, segments: 1, excluded: [] })
  await Promise.all([dispatchMessages(t.app), dispatchMessages(t.app)])
  const texts = deliveredSms(t.app).filter(sms => sms.mobile === first?.address)
  expect(texts.map(({ params }) => params.content)).toEqual([`${first?.name}：明日停水。`])
  expect(outcomes).toMatchObject([{ bizId, state: 'sent', channel: 'sms' }])
  expect(await messageFigures(db(), scope(), source.key, [bizId])).toMatchObject([{ sent: 1, queued: 0 }])
})
