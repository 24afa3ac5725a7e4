import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { ValueOf } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, findByIds, insertAll } from '#kit/server/table.ts'
import type { WorkKind } from '../contract/choices.ts'
import {
  signAnswerFields,
  workSign,
  workStep,
  workTask,
  type WorkStep,
  type WorkTask,
} from '../contract/task.ts'
import { clockOfSign, type SignClock } from '../domain/signs.ts'
import { findKnown } from './known-signs.ts'
import { requireWorkKind, type SignInput } from './kinds.ts'
import { decideSign, reasonText, verdictOf, type SignDecision } from './sign-checks.ts'
import { judgedSteps, writeResults } from './sign-results.ts'
import { withOrderNumbers } from './sign-orders.ts'
import { requireWorker, type Worker } from './worker.ts'

export type SignAnswer = ValueOf<typeof signAnswerFields>

export interface SignBatch {
  readonly signs: readonly SignInput[]
  /** The clock of the device when it sends. */
  readonly sentTime?: Moment | undefined
}

export const stepsOfTasks = (db: Tx, scope: Scope, taskIds: readonly Id[]): Promise<WorkStep[]> =>
  findAll(db, workStep, scope, {}, { where: [sql`t.task_id = any(${[...taskIds]}::bigint[])`] })

/**
 * A phone that sends twice at the same moment: the second batch waits, then finds what the first has
 * stored.
 */
const lockSigns = (tx: Tx, { ownerId }: Scope, worker: Worker): Promise<unknown> =>
  tx.rows(
    sql`select pg_advisory_xact_lock(hashtextextended(${`work_sign/${ownerId}`}::text, ${worker.id}::bigint))`,
  )

/** Those of the pictures that are stored and are pictures. */
async function storedPhotos(
  { app, scope }: WriteContext,
  signs: readonly SignInput[],
): Promise<ReadonlySet<string>> {
  const keys = [...new Set(signs.flatMap(({ photos }) => photos ?? []))]
  if (!keys.length) return new Set()
  const found = await app.files.describe(scope.ownerId, keys)
  return new Set(found.flatMap(({ key, type }) => (type.startsWith('image/') ? [key] : [])))
}

/** A step as the sign leaves it. */
function signedStep(
  step: WorkStep,
  sign: SignInput,
  clock: SignClock,
  worker: Worker,
  photos: readonly string[],
): WorkStep {
  const { needs = {} } = step
  const items = sign.items?.map(item => {
    const bounds = needs.items?.find(({ name }) => name === item.name) ?? {}
    return { ...item, verdict: verdictOf(bounds, item) ?? item.verdict }
  })
  const verdict = verdictOf(needs, sign)
  const hasFailed = verdict === 'failed' || (items ?? []).some(item => item.verdict === 'failed')
  const abnormal = sign.abnormal?.trim()
  return {
    ...step,
    signTime: clock.at,
    signType: sign.signType,
    staffId: worker.id,
    verdict,
    value: sign.value,
    items,
    photos: photos.length ? photos : undefined,
    abnormal: abnormal || undefined,
    isAbnormal: hasFailed || Boolean(abnormal),
    remark: sign.remark,
    isOffline: sign.isOffline ?? false,
    clockOffset: clock.isOff ? clock.offset : undefined,
  }
}

/** What of a step asks for a work order (PAT-8): failed checks by their setting, and words. */
function findingTexts({ stepName, needs = {}, verdict, items = [], abnormal, value }: WorkStep): string[] {
  const failed = items.flatMap(item => {
    const setting = needs.items?.find(({ name }) => name === item.name)
    return item.verdict === 'failed' && setting?.raisesOrder
      ? [[item.name, item.value, item.remark].filter(Boolean).join(' ')]
      : []
  })
  return [
    ...(verdict === 'failed' && needs.raisesOrder ? [[stepName, value].filter(Boolean).join(' ')] : []),
    ...failed,
    ...(abnormal ? [abnormal] : []),
  ]
}

interface Received {
  readonly sign: SignInput
  readonly clock: SignClock
  readonly decision: SignDecision
}

/** The signs of one task, earliest first, each seeing what those before it have signed. */
async function receiveSigns(
  c: WriteContext,
  task: WorkTask,
  signs: readonly { readonly sign: SignInput; readonly clock: SignClock }[],
  about: { readonly worker: Worker; readonly stored: ReadonlySet<string> },
): Promise<{ received: Received[]; before: readonly WorkStep[]; after: WorkStep[] }> {
  const { tx, scope, now } = c
  const before = await stepsOfTasks(tx, scope, [task.id])
  const match = await requireWorkKind(task.kind).loadMatcher?.(tx, scope, before)
  const after = [...before]
  const received: Received[] = []
  for (const { sign, clock } of signs) {
    const photos = (sign.photos ?? []).filter(key => about.stored.has(key))
    const situation = { task, steps: after, match, staffId: about.worker.id, at: clock.at, now, photos }
    const decision = decideSign(sign, situation)
    if (decision.reason === undefined) {
      const step = signedStep(decision.step, sign, clock, about.worker, photos)
      after.splice(after.indexOf(decision.step), 1, step)
    }
    received.push({ sign, clock, decision })
  }
  return { received, before, after }
}

/** Orders for the findings of the steps that were just signed. */
async function orderFindings(
  c: WriteContext,
  task: WorkTask,
  before: readonly WorkStep[],
  after: readonly WorkStep[],
): Promise<WorkStep[]> {
  const { onFinding } = requireWorkKind(task.kind)
  const steps: WorkStep[] = []
  for (const [i, step] of after.entries()) {
    const texts = step === before[i] ? [] : findingTexts(step)
    const workOrderId = texts.length ? await onFinding?.(c, { task, step, texts }) : undefined
    steps.push(workOrderId === undefined ? step : { ...step, workOrderId })
  }
  return steps
}

const keepSigns = (
  { tx, scope, now }: WriteContext,
  task: WorkTask,
  worker: Worker,
  received: readonly Received[],
): Promise<Id[]> =>
  insertAll(
    tx,
    workSign,
    scope,
    received.map(({ sign, clock, decision }) => ({
      projectCode: task.projectCode,
      kind: task.kind,
      uuid: sign.uuid,
      taskId: task.id,
      stepId: decision.step?.id,
      staffId: worker.id,
      signType: sign.signType,
      code: sign.code,
      deviceTime: sign.deviceTime,
      serverTime: now,
      clockOffset: Math.round(clock.offset),
      longitude: sign.longitude,
      latitude: sign.latitude,
      photos: sign.photos?.length ? sign.photos : undefined,
      abnormal: sign.abnormal,
      isOffline: sign.isOffline ?? false,
      isKept: decision.reason === undefined,
      extraReason: decision.reason,
    })),
  )

const answersOf = (received: readonly Received[], steps: readonly WorkStep[]): SignAnswer[] =>
  received.map(({ sign: { uuid }, decision }) => {
    if (decision.reason !== undefined) {
      const { step, reason, message } = decision
      return {
        uuid,
        isKept: false,
        extraReason: reason,
        message: reasonText(reason, message),
        stepId: step?.id,
      }
    }
    const step = steps.find(({ id }) => id === decision.step.id)
    return { uuid, isKept: true, message: '已签到', stepId: decision.step.id, result: step?.result }
  })

/** One task with its signs, in the transaction of the whole batch: nothing is half done. */
async function signTask(
  c: WriteContext,
  taskId: Id,
  signs: readonly { readonly sign: SignInput; readonly clock: SignClock }[],
  about: { readonly worker: Worker; readonly stored: ReadonlySet<string>; readonly kind: WorkKind },
): Promise<SignAnswer[]> {
  const { tx, scope, now } = c
  const [task] = await findByIds(tx, workTask, scope, [taskId], { lock: true })
  // Tasks of other kinds have calls of their own, with their own permissions.
  if (task?.kind !== about.kind)
    return signs.map(({ sign: { uuid } }) => ({
      uuid,
      isKept: false,
      extraReason: 'notInTask',
      message: '任务不存在或已被删除',
    }))
  const { received, before, after } = await receiveSigns(c, task, signs, about)
  await keepSigns(c, task, about.worker, received)
  // What was walked without a network may come when the task is closed already: it is judged once more.
  const isClosed = now > task.closeTime
  if (!received.some(({ decision }) => decision.reason === undefined)) return answersOf(received, before)
  const judged = judgedSteps(task, await orderFindings(c, task, before, after), isClosed)
  await writeResults(tx, scope, task, {
    before,
    after: judged,
    isClosed,
    now,
    patch: { staffId: task.staffId ?? about.worker.id },
  })
  return answersOf(received, judged)
}

/**
 * What a phone sends: any number of signs of any tasks, also twice and out of order. Each uuid is taken
 * once; each step keeps the first valid one (PAT-6).
 */
export async function submitSigns(
  c: WriteContext,
  kind: WorkKind,
  { signs, sentTime }: SignBatch,
): Promise<readonly SignAnswer[]> {
  const { tx, scope, now } = c
  const worker = await requireWorker(tx, scope)
  await lockSigns(tx, scope, worker)
  const answers = await findKnown(tx, scope, worker, signs)
  const fresh = [
    ...new Map(signs.filter(({ uuid }) => !answers.has(uuid)).map(sign => [sign.uuid, sign])).values(),
  ]
  const stored = await storedPhotos(c, fresh)
  const timed = fresh
    .map(sign => ({
      sign,
      clock: clockOfSign({ deviceTime: sign.deviceTime, isOffline: sign.isOffline ?? false, sentTime }, now),
    }))
    // Of equal times the one that was sent first.
    .toSorted((a, b) => (a.clock.at < b.clock.at ? -1 : a.clock.at > b.clock.at ? 1 : 0))
  // In the order of their ids: two phones with the same tasks wait for each other and never in a circle.
  const byTask = [...Map.groupBy(timed, ({ sign }) => sign.taskId)].toSorted(([a], [b]) => a - b)
  for (const [taskId, ofTask] of byTask) {
    for (const answer of await signTask(c, taskId, ofTask, { worker, stored, kind })) {
      answers.set(answer.uuid, answer)
    }
  }
  return withOrderNumbers(
    tx,
    scope,
    signs.flatMap(({ uuid }) => answers.get(uuid) ?? []),
  )
}
