import { dayOfInstant, fromInstant } from '#kit/domain/moment.ts'
import { defined } from '#kit/domain/defined.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { invalidField, invalidInput, refuse, type FieldFault } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { anonymous, reads, writes, type ReadContext, type WriteContext } from '#kit/server/handler.ts'
import { assertProjectsExist } from '#kit/server/handler/named-projects.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { insert, requireById, update } from '#kit/server/table.ts'
import type { Day } from '#kit/contract/field.ts'
import {
  addWebhook,
  deliveryState,
  getDelivery,
  replayDeliveries,
  rotateWebhookSecret,
  sendTestEvent,
  setWebhookState,
  skipDelivery,
  testEventType,
  webhookDeliveries,
  webhookDelivery,
  webhookEndpoint,
  webhookEndpoints,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '../contract/webhook.ts'
import { keyGrantFaults } from '../domain/key-rules.ts'
import { wakeEndpoints } from './event-outbox.ts'
import { eventSources } from './event-sources.ts'
import { scopeOfCaller } from './request-scope.ts'
import { assertReadable, assertWithinReach, hideContent, readableDeliveries } from './webhook-access.ts'
import { webhookIdOf } from './webhook-delivery.ts'
import { overlapMs, replaceSecret } from './webhook-secret.ts'
import { webhookTarget } from './webhook-target.ts'
import { sendWaitingNow, withWaiting } from './webhook-waiting.ts'

type EndpointDraft = Pick<WebhookEndpoint, 'url' | 'eventTypes' | 'allProject' | 'projectCodes'>

/** What is wrong with an endpoint: its address, or that it would get more than its maker may see. */
function endpointFaults(draft: EndpointDraft, scope: Scope, today: Day): FieldFault[] {
  const urlFault = webhookTarget.urlRefusal(draft.url)
  const hidden = draft.eventTypes
    .map(event => eventSources[event].needs)
    .find(needs => !hasPermission(scope, needs))
  return [
    ...(urlFault === undefined ? [] : [{ Field: 'Url', Message: urlFault }]),
    ...(hidden ? [{ Field: 'EventTypes', Message: `你没有「${hidden.label}」权限，不能推送这些事件` }] : []),
    ...keyGrantFaults({ ...draft, showPrivacy: false }, scope, today),
  ]
}

const endpointServer = crudHandlers(webhookEndpoints, {
  check: (draft, { scope, today }, before) => {
    if (before) {
      assertWithinReach(before, scope)
    }
    return endpointFaults(draft, scope, today)
  },
  beforeUpdate: draft => (draft.allProject ? { projectCodes: [] } : {}),
  enrich: withWaiting,
})

const presentDeliveries = async (
  rows: readonly WebhookDelivery[],
  c: CrudContext & { readonly app: App },
): Promise<WebhookDelivery[]> => {
  const shown = await hideContent(rows, c)
  return shown.map(row => ({ ...row, webhookId: webhookIdOf(c.scope.ownerId, row.id) }))
}

const deliveryServer = crudHandlers(webhookDeliveries, {
  filter: (_, { scope }) => readableDeliveries(scope, 't'),
  enrich: presentDeliveries,
  byHand: ['get'],
})

async function getDeliveryRow(id: Id, { db, app, scope, today }: ReadContext): Promise<WebhookDelivery> {
  const row = await requireById(db, webhookDelivery, scope, id)
  const endpoint = await requireById(db, webhookEndpoint, scope, row.endpointId)
  assertReadable(row.type, endpoint, scope)
  return defined((await presentDeliveries([row], { db, app, scope, today }))[0])
}

/** Like an API key: the secret is returned once, and the response is not stored. */
const addWebhookHandler = anonymous(addWebhook, async (draft, c) => {
  const scope = scopeOfCaller(c)
  const { ownerId } = scope
  const { id: _id, version: _version, ...values } = draft
  const faults = endpointFaults(draft, scope, dayOfInstant(c.app.clock()))
  if (faults.length) throw invalidInput(faults)
  return c.app.database.tx(ownerId, async tx => {
    await assertProjectsExist(tx, ownerId, addWebhook.input, draft, '')
    const row = await insert(tx, webhookEndpoint, scope, {
      ...values,
      projectCodes: draft.allProject ? [] : (draft.projectCodes ?? []),
      state: 'on',
      creatorId: scope.operatorId,
    })
    return { ...row, secret: await replaceSecret(tx, c.app, ownerId, row.id) }
  })
})

const rotateHandler = anonymous(rotateWebhookSecret, async ({ id }, c) => {
  const scope = scopeOfCaller(c)
  const secret = await c.app.database.tx(scope.ownerId, async tx => {
    assertWithinReach(await requireById(tx, webhookEndpoint, scope, id, { lock: true }), scope)
    // The audit row says that there is a new secret, never which.
    await update(tx, webhookEndpoint, scope, id, {}, { reason: '更换签名密钥' })
    return replaceSecret(tx, c.app, scope.ownerId, id)
  })
  return { secret, previousUntil: fromInstant(c.app.clock() + overlapMs) }
})

async function setState(id: Id, isOn: boolean, { tx, app, scope }: WriteContext): Promise<WebhookEndpoint> {
  const before = await requireById(tx, webhookEndpoint, scope, id, { lock: true })
  if ((before.state === 'on') === isOn) refuse(isOn ? '推送已经启用' : '推送已经停用')
  const after = await update(tx, webhookEndpoint, scope, id, {
    state: isOn ? 'on' : 'off',
    stopReason: undefined,
  })
  if (isOn) {
    await wakeEndpoints(tx, scope.ownerId, [id], new Date(app.clock()))
  }
  return after
}

async function sendTest(id: Id, { tx, app, scope, now }: WriteContext): Promise<{ deliveryId: Id }> {
  const endpoint = await requireById(tx, webhookEndpoint, scope, id)
  if (endpoint.state !== 'on') refuse('推送已停用，请先启用')
  const delivery = await insert(tx, webhookDelivery, scope, {
    endpointId: id,
    type: testEventType,
    subjectId: 0,
    eventTime: now,
    state: 'pending',
    attempts: 0,
    nextTime: now,
  })
  await wakeEndpoints(tx, scope.ownerId, [id], new Date(app.clock()))
  return { deliveryId: delivery.id }
}

type ReplayInput = NonNullable<typeof replayDeliveries.input.T>

function replayConditions({
  ids,
  endpointId,
  timeFrom,
  timeTo,
  onlyFailed,
}: ReplayInput): RawBuilder<unknown>[] {
  return [
    ...(ids?.length ? [sql`id = any(${ids.map(parseId)}::bigint[])`] : []),
    ...(endpointId === undefined ? [] : [sql`endpoint_id = ${endpointId}`]),
    ...(timeFrom === undefined ? [] : [sql`event_time >= ${timeFrom}::timestamptz`]),
    ...(timeTo === undefined ? [] : [sql`event_time <= ${timeTo}::timestamptz`]),
    ...(onlyFailed ? [sql`state = ${code(deliveryState, 'failed')}`] : []),
  ]
}

/** One statement, however many there are, beside those that wait. */
async function replay(input: ReplayInput, context: WriteContext): Promise<{ count: number }> {
  const { tx, app, scope } = context
  const { ids, endpointId, timeFrom, timeTo } = input
  if (input.onlyWaiting && endpointId !== undefined)
    return { count: await sendWaitingNow(sql`endpoint_id = ${endpointId}`, context) }
  if (!ids?.length && (endpointId === undefined || (!timeFrom && !timeTo && !input.onlyFailed)))
    throw invalidField('Ids', '请选择推送记录，或指定推送地址与时间')
  const { ownerId } = scope
  const waiting = ids?.length
    ? await sendWaitingNow(sql`id = any(${ids.map(parseId)}::bigint[])`, context)
    : 0
  const replayed = await tx.rows<{ endpointId: Id }>(sql`
    update webhook_delivery
    set state = ${code(deliveryState, 'pending')}, attempts = 0,
      next_time = ${new Date(app.clock())}::timestamptz
    where owner_id = ${ownerId}
      and state <> ${code(deliveryState, 'pending')}
      and ${sql.join([...replayConditions(input), ...readableDeliveries(scope, 'webhook_delivery')], sql` and `)}
    returning endpoint_id
  `)
  const endpoints = [...new Set(replayed.map(row => row.endpointId))]
  await wakeEndpoints(tx, ownerId, endpoints, new Date(app.clock()))
  return { count: replayed.length + waiting }
}

async function skip(id: Id, { tx, app, scope }: WriteContext): Promise<void> {
  const delivery = await requireById(tx, webhookDelivery, scope, id, { lock: true })
  const endpoint = await requireById(tx, webhookEndpoint, scope, delivery.endpointId)
  assertReadable(delivery.type, endpoint, scope)
  if (delivery.state !== 'pending') refuse('只能跳过待推送的记录')
  await update(tx, webhookDelivery, scope, id, { state: 'skipped', nextTime: undefined })
  // Those behind it need not wait for its next attempt.
  await tx.execute(sql`
    update webhook_endpoint
    set run_due = ${new Date(app.clock())}::timestamptz
    where owner_id = ${scope.ownerId} and id = ${delivery.endpointId}
  `)
}

export const webhookServers = [
  endpointServer,
  deliveryServer,
  {
    handlers: [
      addWebhookHandler,
      rotateHandler,
      reads(getDelivery, ({ id }, c) => getDeliveryRow(id, c)),
      writes(setWebhookState, ({ id, isOn }, c) => setState(id, isOn, c)),
      writes(sendTestEvent, ({ id }, c) => sendTest(id, c)),
      writes(replayDeliveries, replay),
      writes(skipDelivery, ({ id }, c) => skip(id, c)),
    ],
  },
]
