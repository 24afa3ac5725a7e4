import type { Id } from '#kit/domain/id.ts'
import { useMemo, useState } from 'react'
import type { Month } from '#kit/domain/month.ts'
import { useResend } from '#kit/web/phone/resend.ts'
import { useCall } from '#kit/web/query.ts'
import { getMonthProgress, listMonthGrid, type MeterMonth } from '../contract/month-grid.ts'
import {
  flushQueue,
  queueKeyOf,
  queueName,
  sendReading,
  useOfflineQueue,
  withQueued,
  type QueuedReading,
} from './offline-queue.ts'
import { withReading } from './reading-requests.ts'

/** The list shows no more meters than this. */
export const maxMeters = 300

export interface ReadingRouteFilters {
  readonly kind: MeterMonth['meterKind'] | undefined
  readonly showsAll: boolean
  readonly text: string
}

/** The meters of a month in walking order, the phone's own queue, and how far the month is. */
export function useReadingRoute(
  project: string,
  month: Month,
  { kind, showsAll, text }: ReadingRouteFilters,
) {
  const [saved, setSaved] = useState<ReadonlyMap<Id, MeterMonth>>(new Map())
  const { queue, change, read } = useOfflineQueue()
  const query = {
    projectCode: project,
    month,
    ...(kind ? { meterKind: kind } : {}),
    ...(text.trim() ? { keyword: text.trim() } : {}),
  }
  const options = { keepPrevious: true, quiet: true, project }
  const grid = useCall(
    listMonthGrid,
    { ...query, show: showsAll ? 'all' : 'unread', page: 1, size: maxMeters },
    { ...options, staleMs: 0 },
  )
  const progress = useCall(getMonthProgress, query, options)
  const list = useMemo(
    () => (grid.data?.rows ?? []).map(meter => saved.get(meter.meterId) ?? meter),
    [grid.data, saved],
  )
  const queuedOf = (meter: MeterMonth): QueuedReading | undefined =>
    queue[queueKeyOf(project, month, meter.meterId)]
  const keepQueued = (meter: MeterMonth, queued: QueuedReading | undefined): void =>
    change(before => withQueued(before, queueKeyOf(project, month, meter.meterId), queued))
  const isLeft = (meter: MeterMonth): boolean =>
    meter.readingId === undefined && !meter.unread && !queuedOf(meter)?.waits
  const markSaved = (meter: MeterMonth): void => {
    setSaved(before => new Map(before).set(meter.meterId, meter))
    void progress.refetch()
  }
  const waiting = Object.entries(queue).filter(([, q]) => q.waits && q.project === project)
  const upload = useResend(queueName, waiting.length > 0, () =>
    flushQueue(waiting, sendReading, { change, read }, ({ place }, reading) =>
      markSaved(withReading(place, reading)),
    ),
  )
  return {
    grid,
    progress: progress.data,
    list,
    saved,
    queuedOf,
    keepQueued,
    isLeft,
    markSaved,
    waiting,
    upload,
  }
}

export type ReadingRoute = ReturnType<typeof useReadingRoute>
