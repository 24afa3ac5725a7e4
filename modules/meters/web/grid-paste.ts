import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day, Decimal, Month } from '#kit/contract/field.ts'
import { invalidateCalls } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { addReadings, listReadings } from '../contract/reading.ts'
import { getMonthProgress, listMonthGrid, type MeterMonth } from '../contract/month-grid.ts'
import { previewEntry } from './entry-preview.ts'
import type { EntryDraft } from './grid-drafts.ts'
import { messageOf } from './reading-requests.ts'
import { checkEntry, needsRegisters, toRegisterBoxes } from './registers.ts'

interface PastedNumber {
  readonly meter: MeterMonth
  readonly text: string
  readonly value: Decimal
}

type SetDraft = (meterId: Id, draft: EntryDraft | undefined) => void

/** Why a pasted number cannot be sent as it is; undefined where it can. */
function pastedFault(meter: MeterMonth, text: string, day: Day): string | undefined {
  const { fault } = previewEntry(meter, text, { rollover: false, day })
  if (fault) return fault
  return needsRegisters(meter) ? checkEntry(meter, text, toRegisterBoxes(meter), false, day).stays : undefined
}

/**
 * Puts pasted numbers into the boxes of their meters. Returns those that can be sent together: new readings
 * without a fault; the others stay in their boxes.
 */
export function placePasted(
  meters: readonly MeterMonth[],
  numbers: readonly string[],
  day: Day,
  setDraft: SetDraft,
): PastedNumber[] {
  const sendable: PastedNumber[] = []
  for (const [i, meter] of meters.entries()) {
    const text = (numbers[i] ?? '').trim()
    if (text === '' || meter.state === 'billed') continue
    const fault = pastedFault(meter, text, day)
    if (meter.readingId !== undefined || fault) {
      setDraft(meter.meterId, { text, rollover: false, state: fault ? 'fault' : 'typing', fault })
      continue
    }
    setDraft(meter.meterId, { text, rollover: false, state: 'saving' })
    sendable.push({ meter, text, value: defined(previewEntry(meter, text, { rollover: false, day }).value) })
  }
  return sendable
}

/** Sends pasted numbers in one request; a refused one stays in its box with the reason. */
export async function sendPasted(
  pasted: readonly PastedNumber[],
  month: Month,
  day: Day,
  setDraft: SetDraft,
): Promise<void> {
  const setFault = ({ meter, text }: PastedNumber, fault: string): void =>
    setDraft(meter.meterId, { text, rollover: false, state: 'fault', fault })
  try {
    const result = await send(
      addReadings,
      {
        readings: pasted.map(({ meter, value }) => ({
          meterId: meter.meterId,
          month,
          readDate: day,
          curNum: value,
        })),
      },
      { quiet: true },
    )
    const reasons = new Map(result.rows.map(r => [r.line, r.reason]))
    for (const [i, item] of pasted.entries()) {
      const reason = reasons.get(i + 1)
      if (reason) {
        setFault(item, reason)
      } else {
        setDraft(item.meter.meterId, undefined)
      }
    }
    void invalidateCalls(listMonthGrid)
    void invalidateCalls(getMonthProgress, listReadings)
  } catch (e) {
    for (const item of pasted) {
      setFault(item, messageOf(e))
    }
  }
}
