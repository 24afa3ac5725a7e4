import { keysOf, type ChoiceOf } from '#kit/contract/field.ts'
import { parseId } from '#kit/domain/id.ts'
import { isMoment } from '#kit/domain/moment.ts'
import type { AttendanceApply } from '../contract/apply.ts'
import { applyType, leaveType } from '../contract/choices.ts'
import type { previewOwnApplication, sendOwnApplication } from '../contract/own-apply.ts'

export type ApplyType = ChoiceOf<typeof applyType>
export type OwnDraft = NonNullable<typeof sendOwnApplication.input.T>
type PreviewInput = NonNullable<typeof previewOwnApplication.input.T>

type Values = Readonly<Record<string, unknown>>

export const isSwap = ({ applyType: type }: Values): boolean => type === 'swap'
export const isMend = ({ applyType: type }: Values): boolean => type === 'mend'
export const isLeave = ({ applyType: type }: Values): boolean => type === 'leave'
export const hasNoEnd = (values: Values): boolean => isSwap(values) || isMend(values)

/** The begin of a mended punch is its time; other documents say so themselves. */
export const beginHelp = (values: Values): string => (isMend(values) ? '补卡填写打卡时间' : '')

/** What is asked for so far, once enough is known to name its approvers. */
export function previewInputOf(values: Partial<OwnDraft>): PreviewInput | undefined {
  const { applyType: type, leaveType: kind, beginTime, endTime, workDay, restDay } = values
  if (!type) return undefined
  if (type === 'swap') return workDay || restDay ? { applyType: type, workDay, restDay } : undefined
  if (!beginTime) return undefined
  if (type === 'mend') return { applyType: type, beginTime }
  if (!endTime || endTime <= beginTime) return undefined
  return {
    applyType: type,
    beginTime,
    endTime,
    ...(type === 'leave' ? { leaveType: kind ?? 'personal' } : {}),
  }
}

/** What is missing of a draft, by its field, as text. */
export function missingOf(values: Partial<OwnDraft>): Readonly<Partial<Record<keyof OwnDraft, string>>> {
  const { applyType: type, beginTime, endTime, reason = '' } = values
  const faults: Partial<Record<keyof OwnDraft, string>> = {}
  if (!type) {
    faults.applyType = '请选择类型'
  }
  if (type === 'leave' && !values.leaveType) {
    faults.leaveType = '请选择假别'
  }
  if (type === 'swap' && !values.workDay && !values.restDay) {
    faults.workDay = '请填写上班日或休息日'
  }
  if (type && type !== 'swap' && !beginTime) {
    faults.beginTime = type === 'mend' ? '请填写补卡时间' : '请填写开始时间'
  }
  if (type && !hasNoEnd(values)) {
    if (!endTime) {
      faults.endTime = '请填写结束时间'
    } else if (beginTime && endTime <= beginTime) {
      faults.endTime = '结束时间应晚于开始时间'
    }
  }
  if ([...reason.trim()].length < 2) {
    faults.reason = '请填写事由，至少 2 个字'
  }
  return faults
}

/** A moment of a control of the browser, which writes no seconds and a `T`. */
export const momentOfInput = (text: string): OwnDraft['beginTime'] => {
  const moment = `${text.replace('T', ' ')}:00`
  return isMoment(moment) ? moment : undefined
}

export const leaveKeys = keysOf(leaveType)

/** What the form of a document that came back begins with. */
export const amendmentOf = (row: AttendanceApply) => ({
  id: row.id,
  staffId: row.staffId,
  version: row.version,
  instanceId: parseId(row.instanceId),
  applyType: row.applyType,
  leaveType: row.leaveType,
  mendPoint: row.mendPoint,
  beginTime: row.beginTime,
  endTime: row.endTime,
  workDay: row.workDay,
  restDay: row.restDay,
  reason: row.reason,
  attachments: row.attachments,
})

export type Amendment = ReturnType<typeof amendmentOf>
