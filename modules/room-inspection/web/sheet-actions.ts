import { sendAndInvalidate, createReasonAction } from '#kit/web/record-actions.ts'
import type { Actions } from '#kit/web/action.tsx'
import {
  recheckInspection,
  roomInspections,
  startInspection,
  type RoomInspection,
} from '../contract/inspection.ts'
import { canDo } from '../domain/inspection.ts'
import { menu, paths } from '../module.ts'

/** One sheet on the telephone page, or the list of them. */
export const openPhone = (id?: number): void => {
  window.open(id === undefined ? paths.phone : `${paths.phone}?id=${id}`, '_blank')
}

export const printSheet = (id: number): void => {
  window.open(`${paths.print}?id=${id}`, '_blank')
}

export const removeSheet = createReasonAction(roomInspections.delete, {
  unit: '张验房单',
  nameOf: (sheet: RoomInspection) => sheet.sheetNo,
  disabledReason: sheet => (canDo('edit', sheet.state) ? undefined : '已开始查验，不能删除'),
})

const { inspect } = menu.sheet.permissions

/** What a sheet can go on with, by its state (C13). */
export const sheetActions = (sheet: RoomInspection, myId: number | undefined): Actions => [
  canDo('start', sheet.state) && {
    label: '开始查验',
    needs: inspect,
    run: async () => {
      await sendAndInvalidate(startInspection, { id: sheet.id })
      openPhone(sheet.id)
    },
  },
  canDo('inspect', sheet.state) && {
    label: '继续查验',
    needs: inspect,
    disabledReason: sheet.inspectorId === myId ? undefined : `由${sheet.inspectorName ?? '其他人'}查验中`,
    run: () => openPhone(sheet.id),
  },
  canDo('recheck', sheet.state) && {
    label: '复查',
    needs: inspect,
    run: async () => {
      await sendAndInvalidate(recheckInspection, { id: sheet.id })
      openPhone(sheet.id)
    },
  },
  sheet.startTime !== undefined && { label: '打印', run: () => printSheet(sheet.id) },
]
