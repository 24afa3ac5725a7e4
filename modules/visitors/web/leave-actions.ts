import type { Id } from '#kit/domain/id.ts'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { leave } from '../contract/visit.ts'
import type { VisitRecord } from '../contract/visit-record.ts'
import { menu } from '../module.ts'

const needs = menu.visit.permissions.check

const goOut = async (records: readonly VisitRecord[], locationId: Id | undefined): Promise<void> => {
  const result = await sendAndInvalidate(leave, { ids: records.map(({ id }) => String(id)), locationId })
  const [first] = records
  toastResult(records.length === 1 && result.success ? undefined : result, `「${first?.visitorName}」已离开`)
}

export const leaveAction = (record: VisitRecord, locationId?: Id) =>
  record.state === 'inside' && { label: '登记离开', needs, run: () => goOut([record], locationId) }

export const leaveBatch = (locationId?: Id) => ({
  label: '登记离开',
  needs,
  run: (selected: { readonly rows: readonly VisitRecord[] }) => goOut(selected.rows, locationId),
})
