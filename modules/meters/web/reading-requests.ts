import { fieldFaultsOf } from '#kit/web/refusal-faults.ts'
import type { Month, ValueOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { Refused } from '#kit/contract/wire.ts'
import { send, type SendOptions } from '#kit/web/send.ts'
import type { MeterReading } from '../contract/meter.ts'
import { addReading, editReading, type readingEntry } from '../contract/reading.ts'
import { getEntryContext, type MeterMonth } from '../contract/month-grid.ts'

/** What is entered for a meter in a month. */
export type ReadingValues = Partial<ValueOf<typeof readingEntry>> &
  Pick<ValueOf<typeof readingEntry>, 'readDate' | 'month'>

/**
 * Adds the meter's reading of a month, or edits it where there is one: then photo, remark and loss stay,
 * unless the values name them.
 */
export const writeReading = (
  meter: MeterMonth,
  values: ReadingValues,
  options: SendOptions,
  phone = false,
): Promise<MeterReading> =>
  meter.readingId === undefined
    ? send(addReading, { ...values, meterId: meter.meterId, ...(phone ? { phone } : {}) }, options)
    : send(
        editReading,
        {
          ...(meter.photo ? { photo: meter.photo } : {}),
          ...(meter.remark ? { remark: meter.remark } : {}),
          ...(meter.loss ? { loss: meter.loss } : {}),
          ...values,
          // An estimate, which has none, is offered only where there is no reading yet.
          curNum: defined(values.curNum),
          id: meter.readingId,
          ...(meter.version === undefined ? {} : { version: meter.version }),
        },
        options,
      )

/** The text of a failed write: the first field's fault, else the error's own. */
export function messageOf(error: unknown): string {
  if (error instanceof Refused && Array.isArray(error.data)) {
    const [fault] = fieldFaultsOf(error)
    if (fault?.Message) return fault.Message
  }
  return error instanceof Error && error.message ? error.message : '保存失败，请重试'
}

/** A meter's row after its reading was written. */
export const withReading = (meter: MeterMonth, reading: MeterReading): MeterMonth => {
  const {
    unread: _unread,
    unreadRemark: _unreadRemark,
    usage: _usage,
    anomalies: _anomalies,
    ...rest
  } = meter
  return {
    ...rest,
    readingId: reading.id,
    version: reading.version,
    curNum: reading.curNum,
    readDate: reading.readDate,
    isRollover: reading.isRollover,
    isEstimate: reading.isEstimate,
    isBase: reading.isBase,
    loss: reading.loss,
    source: reading.source,
    confirmed: reading.confirmed,
    state: reading.state,
    ...(reading.usage === undefined ? {} : { usage: reading.usage }),
    ...(reading.anomalies ? { anomalies: reading.anomalies } : {}),
    ...(reading.registers ? { registers: reading.registers } : {}),
    ...(reading.photo ? { photo: reading.photo } : {}),
    ...(reading.lastNum === undefined ? {} : { before: reading.lastNum }),
  }
}

/**
 * The meter's row as it is now, where somebody else or a collector has read the meter since: that reading is
 * shown and edited next. Undefined where nothing changed, or without a network.
 */
export async function refetchMeterMonth(
  meter: MeterMonth,
  month: Month,
  project?: string,
): Promise<MeterMonth | undefined> {
  const current = await send(
    getEntryContext,
    { meterId: meter.meterId, month },
    { quiet: true, ...(project === undefined ? {} : { project }) },
  ).catch(() => undefined)
  const isChanged = current && (current.readingId !== meter.readingId || current.version !== meter.version)
  return isChanged ? current : undefined
}
