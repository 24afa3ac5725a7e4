import { labelOf, type ChoiceOf, keysOf } from '#kit/contract/field.ts'
import type { Month } from '#kit/domain/month.ts'
import type { Action } from '#kit/web/action.tsx'
import { confirmAndSend, sendAndInvalidate } from '#kit/web/record-actions.ts'
import { unreadReason } from '../contract/choices.ts'
import { setUnreadReason } from '../contract/plan.ts'
import { confirmReadings } from '../contract/reading.ts'
import { type MeterMonth } from '../contract/month-grid.ts'
import { menu } from '../module.ts'
import type { GridEntry } from './grid-entry.ts'

export type UnreadReason = ChoiceOf<typeof unreadReason>
export const unreadReasons = keysOf(unreadReason)

/** Records why a meter could not be read, or takes it back; the row shows it at once. */
async function saveUnreadReason(
  meter: MeterMonth,
  month: Month,
  reason: UnreadReason | undefined,
  entry: GridEntry,
): Promise<void> {
  await sendAndInvalidate(setUnreadReason, {
    meterIds: [String(meter.meterId)],
    month,
    ...(reason ? { unread: reason } : {}),
  })
  const { unread: _unread, ...rest } = meter
  entry.replaceRow(reason ? { ...meter, unread: reason } : rest)
}

/** What can be done with one meter of the month beside typing its number. */
export function meterRowActions(
  meter: MeterMonth,
  month: Month,
  entry: GridEntry,
  showHistory: (meter: MeterMonth) => void,
): Action[] {
  const needs = menu.reading.permissions.add
  const history: Action = {
    label: '查看历史',
    needs: menu.reading.permissions.view,
    run: () => showHistory(meter),
  }
  if (meter.readingId !== undefined) return [history]
  const actions: Action[] = [history, { label: '估抄', needs, run: () => entry.saveEstimate(meter) }]
  if (meter.meterKind === 'power' && !meter.registers?.length) {
    actions.push({ label: '分时读数', needs, run: () => entry.openRegisters(meter) })
  }
  for (const reason of unreadReasons) {
    actions.push({
      label: `未抄：${labelOf(unreadReason, reason)}`,
      needs,
      run: () => saveUnreadReason(meter, month, reason, entry),
    })
  }
  if (meter.unread) {
    actions.push({
      label: '取消未抄原因',
      needs,
      run: () => saveUnreadReason(meter, month, undefined, entry),
    })
  }
  return actions
}

/** Asks for a reason and confirms an anomalous reading (MTR-8). */
export const confirmReading = (meter: MeterMonth, entry: () => GridEntry): void =>
  void confirmAndSend(confirmReadings, {
    actionLabel: '确认',
    title: `确认「${meter.sourceName ?? ''} ${meter.meterNo}」的读数 ${meter.curNum ?? ''}`,
    unit: '条读数',
    consequences: ['确认后可以出账'],
    reason: { presets: ['现场复核无误', '长期无人居住', '用户确认用量'] },
    input: { ids: [String(meter.readingId)] },
    doneText: `已确认「${meter.meterNo}」`,
    onDone: () => entry().replaceRow({ ...meter, confirmed: true, version: (meter.version ?? 0) + 1 }),
  })
