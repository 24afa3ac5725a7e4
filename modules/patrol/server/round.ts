import { createHash } from 'node:crypto'
import type { Id } from '#kit/domain/id.ts'
import { startOfDay } from '#kit/domain/moment.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { notFound } from '#kit/contract/wire.ts'
import { requireById } from '#kit/server/table.ts'
import { workTask, type WorkStep } from '#modules/planned-work/contract/task.ts'
import { findMyTasks, finishTask, submitSigns } from '#modules/planned-work/server/public.ts'
import { finishOwnRound, listOwnRounds, sendPatrolSigns } from '../contract/round.ts'
import { toTagNumber, type SignedPoint } from '../domain/matching.ts'
import { loadSignedPoints } from './patrol-work.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const hashesOf = ({ code, nfcNo }: SignedPoint): string[] => [
  ...(code === undefined ? [] : [sha256(code)]),
  ...(nfcNo === undefined ? [] : [sha256(toTagNumber(nfcNo))]),
]

/** A step of the round with what its point is recognised by. */
const toRoundPoint = (step: WorkStep, point: SignedPoint | undefined) => ({
  stepId: step.id,
  sort: step.sort,
  name: step.stepName,
  dueTime: step.dueTime,
  tolerance: step.tolerance,
  signKinds: step.needs?.signKinds ?? [],
  needsPhoto: step.needs?.photo ?? false,
  items: step.needs?.items ?? [],
  codeHashes: point ? hashesOf(point) : [],
  bleNo: point?.bleNo,
  longitude: point?.longitude,
  latitude: point?.latitude,
  radius: point?.radius,
  result: step.result,
  signTime: step.signTime,
  isAbnormal: step.isAbnormal,
  itemResults: step.items,
})

export const roundHandlers = [
  reads(listOwnRounds, async (_, { db, scope, today }) => {
    const from = startOfDay(today)
    const own = (await findMyTasks(db, scope, ['patrol'], today)).filter(({ task }) => task.closeTime >= from)
    const pointIds = new Set<Id>(own.flatMap(({ steps }) => steps.map(step => step.subjectId)))
    const points = new Map((await loadSignedPoints(db, scope, [...pointIds])).map(point => [point.id, point]))
    return own.map(({ task, steps }) => ({
      id: task.id,
      planName: task.planName,
      taskDate: task.taskDate,
      beginTime: task.beginTime,
      endTime: task.endTime,
      closeTime: task.closeTime,
      inOrder: task.inOrder,
      state: task.state,
      points: steps.map(step => toRoundPoint(step, points.get(step.subjectId))),
    }))
  }),
  writes(sendPatrolSigns, (batch, c) => submitSigns(c, 'patrol', batch)),
  writes(finishOwnRound, async ({ id }, c) => {
    const { kind } = await requireById(c.tx, workTask, c.scope, id)
    if (kind !== 'patrol') throw notFound()
    const { state, missCount } = await finishTask(c, id)
    return { state, missCount }
  }),
]
